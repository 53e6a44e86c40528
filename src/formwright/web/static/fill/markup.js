// Titles, hints and options with markup. For the form library they are plain text: names of fields and lists of errors
// use it. Only what draws them shows the HTML, which the server has made (`domain/forms/fields/markup.py`).

import { mediaComponent } from "./media.js";
import { localizedLabel, t } from "./texts.js";

const CLASSES = ["question", "panelbase", "itemvalue"];

/**
 * Let questions, sections, pages and options have `markup`: HTML by property, in one or several languages; and
 * `guidance`, HTML below the description which people can show and hide, and `media` (`media.js`).
 */
export function registerMarkup(Survey, SurveyUI) {
  const { createElement, Fragment } = SurveyUI;
  for (const name of CLASSES) Survey.Serializer.addProperty(name, "markup");
  for (const name of CLASSES.slice(0, 2)) Survey.Serializer.addProperty(name, "guidance");
  for (const name of CLASSES) Survey.Serializer.addProperty(name, "media");
  const MediaView = mediaComponent(SurveyUI);

  const html = (tag, label, members) =>
    createElement(tag, { ...members, dangerouslySetInnerHTML: { __html: localizedLabel(label) } });

  function guidance(owner) {
    if (!owner?.guidance) return null;
    const summary = createElement("summary", { "data-word": "moreInformation" }, t("moreInformation"));
    return createElement(
      "details",
      { className: "guidance" },
      summary,
      html("div", owner.guidance, { className: "markup" }),
    );
  }

  const media = (owner) => owner.media && createElement(MediaView, { media: owner.media });

  class TextView extends SurveyUI.SurveyLocStringViewer {
    renderString() {
      const { owner, name, renderedHtml } = this.locStr;
      const text = this.#renderText(owner?.markup?.[name]);
      if (name === "text") return owner?.media ? createElement(Fragment, null, text, media(owner)) : text;
      if (name !== "description" || !(owner?.guidance || owner?.media)) return text;
      return createElement(Fragment, null, renderedHtml.trim() && text, media(owner), guidance(owner));
    }

    #renderText(label) {
      // A text that nobody has read does not tell of its changes.
      if (!this.locStr.renderedHtml || !label) return super.renderString();
      return html("span", label, {
        ref: this.rootRef,
        className: `${this.locStr.getStringViewerClassName(this.textClass)} markup`,
      });
    }
  }

  class NoteView extends SurveyUI.SurveyQuestionHtml {
    renderElement() {
      return createElement(Fragment, null, super.renderElement(), media(this.question), guidance(this.question));
    }
  }

  const { ReactElementFactory, ReactQuestionFactory } = SurveyUI;
  ReactElementFactory.Instance.registerElement(Survey.LocalizableString.defaultRenderer, (props) =>
    createElement(TextView, props),
  );
  ReactQuestionFactory.Instance.registerQuestion("html", (props) => createElement(NoteView, props));
}
