// The kinds of fields that we draw ourselves. Each is `draw(question, element)`, which shows the question's value and
// gives back the function that shows it anew.

import { barcode } from "./barcode.js";
import { files } from "./files.js";
import { location } from "./location.js";
import { signature } from "./signature.js";

const KINDS = { photo: files, file: files, signature, location, barcode };

/** Teach the form library the question type `widget`. */
export function register(Survey, SurveyUI) {
  class Widget extends Survey.Question {
    getType() {
      return "widget";
    }

    // Where the library keeps its own: what a question has beside that is not copied into the rows of a repeat.
    get widget() {
      return this.getPropertyValue("widget");
    }

    set widget(kind) {
      this.setPropertyValue("widget", kind);
    }

    get maxFiles() {
      return this.getPropertyValue("maxFiles");
    }

    set maxFiles(count) {
      this.setPropertyValue("maxFiles", count);
    }
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

    // In a row that is just being made, the library draws a question before it says which kind it is.
    draw() {
      const { question } = this.props;
      if (this.show || !KINDS[question.widget]) return;
      this.show = KINDS[question.widget](question, this.element);
      document.addEventListener("formwright:spoken", this.show);
    }

    componentWillUnmount() {
      this.props.question.onPropertyChanged.remove(this.changed);
      document.removeEventListener("formwright:spoken", this.show);
    }

    shouldComponentUpdate() {
      return false;
    }

    changed = (_, { name }) => {
      if (name === "widget") this.draw();
      else if (["value", "isReadOnly", "readOnly"].includes(name)) this.show?.();
    };
  }

  Survey.Serializer.addClass("widget", ["widget", "maxFiles:number"], () => new Widget(""), "question");
  Survey.Serializer.addProperty("dropdown", "lookup");
  Survey.Serializer.addProperty("text", "keypad");
  Survey.QuestionFactory.Instance.registerQuestion("widget", (name) => new Widget(name));
  SurveyUI.ReactQuestionFactory.Instance.registerQuestion("widget", (props) => SurveyUI.createElement(View, props));
}
