// Titles, hints and options with markup. For the form library they are plain text: names of fields and lists of errors
// use it. Only what draws them shows the HTML, which the server has made (`domain/forms/markup.py`).

import { inWords } from "./texts.js";

const CLASSES = ["question", "panelbase", "itemvalue"];

/** Let questions, sections, pages and options have `markup`: HTML by property, in one or several languages. */
export function registerMarkup(Survey, { ReactElementFactory, SurveyLocStringViewer, createElement }) {
  for (const name of CLASSES) Survey.Serializer.addProperty(name, "markup");

  class TextView extends SurveyLocStringViewer {
    renderString() {
      const { locStr } = this;
      const html = locStr.owner?.markup?.[locStr.name];
      // A text that nobody has read does not tell of its changes.
      if (!locStr.renderedHtml || !html) return super.renderString();
      const className = `${locStr.getStringViewerClassName(this.textClass)} markup`;
      return createElement("span", { ref: this.rootRef, className, dangerouslySetInnerHTML: { __html: inWords(html) } });
    }
  }

  ReactElementFactory.Instance.registerElement(Survey.LocalizableString.defaultRenderer, (props) => createElement(TextView, props));
}
