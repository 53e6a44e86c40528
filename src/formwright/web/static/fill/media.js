// Images, audio and video beside questions and options: files that are attached to the form.

import { localizedLabel } from "./texts.js";
import { element } from "./dom.js";

let fileUrls = {};

/** Set the links to the files of the form by their names. */
export function setMediaLinks(urls = {}) {
  fileUrls = urls;
}

/** Return the elements of the media of a question or an option, without files that the form does not have. */
export function mediaElements({ image, bigImage, audio, video, alt }) {
  const title = alt ? localizedLabel(alt) : "";
  const urlOf = (names) => (names ? fileUrls[localizedLabel(names)] : undefined);
  return [
    urlOf(image) && zoomableImage(urlOf(image), urlOf(bigImage), title),
    urlOf(audio) && element("audio", { controls: true, preload: "none", src: urlOf(audio), ariaLabel: title || null }),
    urlOf(video) &&
      element("video", {
        controls: true,
        preload: "metadata",
        playsInline: true,
        src: urlOf(video),
        ariaLabel: title || null,
      }),
  ].filter(Boolean);
}

function zoomableImage(src, large, alt) {
  const image = element("img", { src, alt, loading: "lazy" });
  if (!large) return image;
  const zoom = element("button", { type: "button", className: "media-zoom", ariaExpanded: "false" }, image);
  zoom.addEventListener("click", () => {
    const isLarge = zoom.ariaExpanded === "false";
    zoom.ariaExpanded = String(isLarge);
    image.src = isLarge ? large : src;
  });
  return zoom;
}

/** Return a component that draws `media`, and draws them again in another language only. */
export function mediaComponent({ Component, createElement }) {
  return class MediaView extends Component {
    render() {
      return createElement("span", { className: "media", ref: (box) => (this.box = box) });
    }

    componentDidMount() {
      this.draw();
      document.addEventListener("formwright:languagechange", this.draw);
    }

    componentWillUnmount() {
      document.removeEventListener("formwright:languagechange", this.draw);
    }

    shouldComponentUpdate() {
      return false;
    }

    draw = () => this.box.replaceChildren(...mediaElements(this.props.media));
  };
}
