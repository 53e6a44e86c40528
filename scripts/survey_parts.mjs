// Which parts of the form library no form of ours shows, or only some do: see `web/fields` and `web/fill/surveyjs.py`.
// The build fails if the library does not have one of them: then look at what has replaced it.

/** Kinds of questions, of what they contain, and of what draws them, that no form has. */
export const UNUSED = [
  ...["matrix", "matrixbase", "matrixcolumn", "matrixdropdown", "matrixdropdownbase", "matrixdropdowncolumn"],
  ...["matrixdynamic", "multipletext", "multipletextitem", "signaturepad", "file", "image", "imagepicker", "imagemap"],
  ...["imageitemvalue", "imagemaparea", "buttongroup", "buttongroupitemvalue", "ranking", "expression", "flowpanel"],
  ...["survey-matrix-cell", "sv-matrix-row", "sv-matrix-drag-drop-icon", "sv-matrixdynamic-actions-cell"],
  ...["sv-matrixdynamic-add-btn", "sv-placeholder-matrixdynamic", "sv-matrix-remove-button", "sv-matrix-detail-button"],
  ...["sv-file-choose-btn", "sv-file-preview", "sv-file-item", "sv-ranking-item", "sv-buttongroup-dropdown"],
  ...[
    "sv-boolean-checkbox",
    "sv-dropdown-select",
    "sv-rating-dropdown",
    "sv-rating-dropdown-item",
    "custom",
    "composite",
  ],
  // Pages evaluate rules and patterns themselves, as the server does.
  ...["numericvalidator", "textvalidator", "answercountvalidator", "regexvalidator", "emailvalidator"],
  ...["expressionvalidator", "expressionitem", "htmlconditionitem", "urlconditionitem", "calculatedvalue"],
  ...["trigger", "surveytrigger", "visibletrigger", "completetrigger", "setvaluetrigger", "copyvaluetrigger"],
  ...["skiptrigger", "runexpressiontrigger", "patternmask", "numericmask", "datetimemask", "currencymask"],
  ...["choicesByUrl", "cover"],
  // The page of a form has its own header, navigation and messages.
  ...["sv-header", "survey-header", "sv-timerpanel", "sv-breadcrumbs", "sv-singleinput-summary", "sv-progress-pages"],
  ...["sv-progress-questions", "sv-progress-correctquestions", "sv-progress-requiredquestions"],
  ...["sv-progress-buttons", "sv-navigation-toc", "sv-logo-image", "sv-nav-btn", "sv-notifier"],
];
/** Those that only some forms have: `MORE_TYPES` in `web/fill/page_data.py`, and what belongs to them. */
export const LATER = [
  ...["paneldynamic", "dropdown", "tagbox", "rating", "ratingitem", "slider", "sliderlabel", "boolean", "checkbox"],
  ...["checkboxitem", "survey-checkbox-item", "sv-rating-item", "sv-rating-item-star", "sv-rating-item-smiley"],
  ...["sv-paneldynamic-add-btn", "sv-paneldynamic-remove-btn", "sv-paneldynamic-prev-btn", "sv-paneldynamic-next-btn"],
  ...["sv-paneldynamic-progress-text", "sv-placeholder-paneldynamic", "sv-slider-label-item", "sv-boolean-radio"],
  ...["sv-list", "sv-list-item", "sv-list-item-content", "sv-list-item-group", "sv-tagbox-filter", "sv-popup"],
  ...["sv-action-bar-item-dropdown"],
];
/** Classes of which no page creates an instance, although others mention them: creating one throws an error. */
export const ABSENT = new Set([
  ...["Cover", "QuestionCompositeModel", "QuestionCustomModel", "ComponentQuestionJSON", "ChoicesRestful"],
  ...["SurveyWindowModel", "PopupSurveyModel", "InputElementAdapter", "PopupModalViewModel", "QuestionCustomWidget"],
  ...["ExpressionRunner", "SurveyCustomWidget", "BrandInfo", "PopupSurvey", "SurveyLocStringEditor"],
  ...["SurveyQuestionSigleInputSummary", "SurveyBreadcrumbs"],
]);
/** The beginnings of other statements without use: functions of the library's own rules, and sets of all icons. */
export const UNUSED_STATEMENTS = [
  ...[
    "FunctionFactory.Instance.register(",
    "setCreateExpressionExecutor(",
    'DomWindowHelper.addEventListener("touchmove"',
  ],
  ...["addIconsToThemeSet(", "SvgRegistry.registerIcons("],
];
/** The icons that forms show. */
export const ICONS = [
  ...["add-24x24", "cancel-24x24", "check-16x16", "check-24x24", "chevrondown-24x24", "clear-16x16", "clear-24x24"],
  ...["delete-24x24", "more-24x24", "search-24x24", "rating-star", "rating-star-2", "rating-star-small"],
  ...["rating-star-small-2"],
];
const BLOCKS = [
  ...["table", "matrix", "matrixdynamic", "file", "image", "imagepicker", "imagemap", "signaturepad", "multipletext"],
  ...["ranking", "drag", "dragged-element-shortcut", "button-group", "timer", "progress", "cover", "header", "summary"],
  ...["breadcrumbs", "notifier", "window", "save-data", "brand-info", "singleinput", "completedpage", "expression"],
  ...["loading-indicator", "rating-dropdown-item"],
];
/** Blocks of styles of kinds of questions, and of parts of a survey, that no form has. */
export const UNUSED_STYLES = new RegExp(
  `[.](?:sd|sv)[-_](?:${BLOCKS.join("|")})(?![a-z])|[.]sd-body--(?:loading|empty|with-timer)|[.]sjs_sp_`,
);
