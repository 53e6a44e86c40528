// Lengths and areas on the Earth (WGS 84), in metres and square metres: the same operations in the same order as in
// domain/forms/fields/geodesy.py, which names their sources. Points have a latitude and a longitude in degrees.

const EQUATOR_RADIUS_M = 6_378_137;
const FLATTENING = 1 / 298.257223563;
const ECCENTRICITY = FLATTENING * (2 - FLATTENING);
const MEAN_RADIUS_M = 6_371_008.7714;
const RADIANS_PER_DEGREE = Math.PI / 180;
const HALVINGS = 4;

export const distance = (points) => pathLength(points);

export const perimeter = (corners) => pathLength([...corners, ...corners.slice(0, 1)]);

/** Return the area; NaN if a side spans half the Earth. */
export function area(corners) {
  const halves = corners.map(({ latitude }) => halfTangent(latitude));
  let total = 0;
  for (const [index, { longitude }] of corners.entries()) {
    const end = (index + 1) % corners.length;
    const halfTurn = shortestTurn(corners[end].longitude - longitude) / 2;
    const tangent = sineOfDegrees(halfTurn) / sineOfDegrees(90 - Math.abs(halfTurn));
    total += 2 * arctangent((tangent * (halves[index] + halves[end])) / (1 + halves[index] * halves[end]));
  }
  return Math.abs(total) * EQUATOR_RADIUS_M * EQUATOR_RADIUS_M * equalAreaHeight(1);
}

function pathLength(points) {
  const places = points.map(coordinates);
  let total = 0;
  for (const [index, [x2, y2, z2]] of places.entries()) {
    if (!index) continue;
    const [x1, y1, z1] = places[index - 1];
    total += arcLength(Math.sqrt((x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1) + (z2 - z1) * (z2 - z1)));
  }
  return total;
}

function coordinates({ latitude, longitude }) {
  const sine = sineOfDegrees(latitude);
  const normal = EQUATOR_RADIUS_M / Math.sqrt(1 - ECCENTRICITY * sine * sine);
  const fromAxis = normal * sineOfDegrees(90 - Math.abs(latitude));
  return [
    fromAxis * sineOfDegrees(90 - Math.abs(longitude)),
    fromAxis * sineOfDegrees(longitude),
    normal * (1 - ECCENTRICITY) * sine,
  ];
}

function arcLength(chord) {
  let sine = Math.min(chord / (2 * MEAN_RADIUS_M), 1);
  for (let turn = 0; turn < HALVINGS; turn++) sine = sine / Math.sqrt(2 * (1 + Math.sqrt(1 - sine * sine)));
  const square = sine * sine;
  const series = 1 + square * (1 / 6 + square * (3 / 40 + square * (15 / 336 + square * (105 / 3456))));
  return 2 * MEAN_RADIUS_M * 2 ** HALVINGS * sine * series;
}

function sineOfDegrees(degrees) {
  if (degrees > 90) degrees = 180 - degrees;
  else if (degrees < -90) degrees = -180 - degrees;
  const angle = degrees * RADIANS_PER_DEGREE;
  let result = 1;
  for (let factor = 22; factor > 0; factor -= 2) result = 1 - ((angle * angle) / (factor * (factor + 1))) * result;
  return angle * result;
}

function halfTangent(latitude) {
  const sine = equalAreaHeight(sineOfDegrees(latitude)) / equalAreaHeight(1);
  return sine / (1 + Math.sqrt(Math.max(1 - sine * sine, 0)));
}

function equalAreaHeight(sine) {
  const square = ECCENTRICITY * sine * sine;
  let logarithm = 1 / 15;
  for (let divisor = 13; divisor > 0; divisor -= 2) logarithm = 1 / divisor + square * logarithm;
  return ((1 - ECCENTRICITY) * sine * (1 / (1 - square) + logarithm)) / 2;
}

function arctangent(tangent) {
  for (let turn = 0; turn < HALVINGS; turn++) tangent = tangent / (1 + Math.sqrt(1 + tangent * tangent));
  const square = tangent * tangent;
  const series = 1 - square * (1 / 3 - square * (1 / 5 - square * (1 / 7 - square * (1 / 9 - square * (1 / 11)))));
  return 2 ** HALVINGS * tangent * series;
}

function shortestTurn(degrees) {
  if (degrees > 180) return degrees - 360;
  return degrees < -180 ? degrees + 360 : degrees;
}
