// The field types that we render ourselves. Each is `render(question, element)`, which shows the question's value and
// returns the function that updates it.

import { renderAgreement } from "./agreement.js";
import { renderDuration } from "./duration.js";
import { renderRanking } from "./ranking.js";

const WIDGETS = {
  agreement: renderAgreement,
  ranking: renderRanking,
  duration: renderDuration,
};

/** Load the widgets that use the device: only forms with such fields need them. `basemap` is the background of maps. */
export async function loadDeviceWidgets(basemap) {
  const { DEVICE_WIDGETS, setBasemap } = await import("./device_widgets.js");
  Object.assign(WIDGETS, DEVICE_WIDGETS);
  setBasemap(basemap);
}

/** `optionTexts`: the texts of options with answers in them, by value. */
const PROPERTIES = ["widget", "maxItems", "drawing", "options", "optionTexts"];

/**
 * Register the question type `widget` with the form library.
 * @param {typeof import("survey-core")} Survey
 * @param {any} SurveyUI the components, whose types do not know their `props`
 */
export function registerWidgets(Survey, SurveyUI) {
  class Widget extends Survey.Question {
    getType() {
      return "widget";
    }
  }

  // Stored where the library keeps its own properties: others are not copied into the rows of a repeat.
  for (const name of PROPERTIES) {
    Object.defineProperty(Widget.prototype, name, {
      get() {
        return this.getPropertyValue(name);
      },
      set(value) {
        this.setPropertyValue(name, value);
      },
    });
  }

  class View extends SurveyUI.Component {
    render() {
      return SurveyUI.createElement("div", { className: "widget", ref: (element) => (this.element = element) });
    }

    componentDidMount() {
      const { question } = this.props;
      question.onPropertyChanged.add(this.changed);
      this.draw();
    }

    // In a new row, the library renders a question before its type is set.
    draw() {
      const { question } = this.props;
      if (this.show || !WIDGETS[question.widget]) return;
      this.show = WIDGETS[question.widget](question, this.element);
      document.addEventListener("formwright:languagechange", this.show);
    }

    componentWillUnmount() {
      this.props.question.onPropertyChanged.remove(this.changed);
      document.removeEventListener("formwright:languagechange", this.show);
    }

    shouldComponentUpdate() {
      return false;
    }

    changed = (_, { name }) => {
      if (name === "widget") this.draw();
      else if (["value", "isReadOnly", "readOnly", "isRequired", "options", "optionTexts"].includes(name))
        this.show?.();
    };
  }

  Survey.Serializer.addClass(
    "widget",
    ["widget", "maxItems:number", "drawing", "options"],
    () => new Widget(""),
    "question",
  );
  for (const type of ["dropdown", "tagbox"]) Survey.Serializer.addProperty(type, "lookup");
  Survey.Serializer.addProperty("paneldynamic", "rowsFrom");
  Survey.Serializer.addProperty("text", "keypad");
  Survey.Serializer.addProperty("text", "unit");
  Survey.Serializer.addProperty("radiogroup", "likert:boolean");
  for (const type of ["radiogroup", "checkbox"]) Survey.Serializer.addProperty(type, "tableRow:boolean");
  Survey.QuestionFactory.Instance.registerQuestion("widget", (name) => new Widget(name));
  SurveyUI.ReactQuestionFactory.Instance.registerQuestion("widget", (props) => SurveyUI.createElement(View, props));
}
