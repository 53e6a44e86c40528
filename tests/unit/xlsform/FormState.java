import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.javarosa.core.model.FormDef;
import org.javarosa.core.model.FormIndex;
import org.javarosa.core.model.GroupDef;
import org.javarosa.core.model.IFormElement;
import org.javarosa.core.model.QuestionDef;
import org.javarosa.core.model.SelectChoice;
import org.javarosa.core.model.data.IAnswerData;
import org.javarosa.core.model.instance.FormInstance;
import org.javarosa.core.model.instance.InstanceInitializationFactory;
import org.javarosa.core.model.instance.TreeElement;
import org.javarosa.core.model.instance.TreeReference;
import org.javarosa.core.util.JavaRosaCoreModule;
import org.javarosa.model.xform.XFormsModule;
import org.javarosa.xform.util.XFormAnswerDataParser;
import org.javarosa.xform.util.XFormUtils;

/**
 * Fills in XForms with the reference implementation, as a person does: for each line "form<tab>path<tab>value...", it gives the
 * answers in this order. The value "!row" adds the row "orders/1". It writes what the person then sees: each question that is
 * relevant ("path!shown"), its answer, whether it is required or read-only, breaks its constraint, the choices that it offers,
 * and the number of rows that a repeat must have.
 */
public class FormState {
  private final FormDef form;
  private final TreeElement root;
  private final Map<String, QuestionDef> questions = new HashMap<>();
  private final Map<String, GroupDef> repeats = new HashMap<>();
  private final StringBuilder found = new StringBuilder();

  public static void main(String[] args) throws Exception {
    new JavaRosaCoreModule().registerModule();
    new XFormsModule().registerModule();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] parts = line.split("\t", -1);
      try {
        System.out.println("=" + new FormState(parts[0]).fill(parts));
      } catch (Exception error) {
        System.out.println("=!failed\t" + error.toString().replaceAll("\\s+", " ") + "\t");
      }
    }
  }

  FormState(String path) throws Exception {
    form = XFormUtils.getFormFromInputStream(new FileInputStream(path));
    root = form.getMainInstance().getRoot();
    collect(form);
  }

  private void collect(IFormElement group) {
    for (IFormElement child : group.getChildren() == null ? List.<IFormElement>of() : group.getChildren()) {
      if (child instanceof QuestionDef question) questions.put(pathOf(child), question);
      if (child instanceof GroupDef repeat && repeat.getRepeat()) repeats.put(pathOf(child), repeat);
      collect(child);
    }
  }

  private static String pathOf(IFormElement element) {
    return FormInstance.unpackReference(element.getBind()).genericize().toString(false);
  }

  private static String pathOf(TreeElement node) {
    return node.getRef().genericize().toString(false);
  }

  StringBuilder fill(String[] parts) throws Exception {
    form.initialize(true, new InstanceInitializationFactory());
    for (int place = 1; place + 1 < parts.length; place += 2) {
      if (parts[place + 1].equals("!row")) addRow(parts[place]);
      else answer(find(parts[place]), parts[place + 1]);
    }
    // As when the filled-in form is opened again: a change does not update what other rows read of it.
    form.initialize(false, new InstanceInitializationFactory());
    for (int turn = 0; turn < 3; turn++) withdraw(root);
    form.initialize(false, new InstanceInitializationFactory());
    write(root, "");
    return found;
  }

  private void answer(TreeElement node, String text) {
    if (!node.isRelevant()) return;
    IAnswerData value = XFormAnswerDataParser.getAnswerData(text, node.getDataType(), null);
    form.setValue(value, node.getRef(), true);
    // JavaRosa removes what is not offered, but does not update what depends on it.
    if (offer(node) != null) form.setValue(node.getValue(), node.getRef(), true);
  }

  /** Return the choices of a question, which removes those that are not offered from the answer; null for other questions. */
  private List<SelectChoice> offer(TreeElement node) {
    QuestionDef question = questions.get(pathOf(node));
    if (question == null || !node.isRelevant()) return null;
    if (question.getDynamicChoices() != null) return question.getDynamicChoices().getChoices(form, node.getRef());
    return question.getNumChoices() > 0 ? question.getChoices() : null;
  }

  private void withdraw(TreeElement group) {
    for (TreeElement node : children(group)) {
      offer(node);
      withdraw(node);
    }
  }

  private TreeElement find(String path) {
    TreeElement node = root;
    String[] steps = path.isEmpty() ? new String[0] : path.split("/");
    for (int place = 0; place < steps.length && node != null; place++) {
      boolean hasRow = place + 1 < steps.length && steps[place + 1].matches("\\d+");
      node = node.getChild(steps[place], hasRow ? Integer.parseInt(steps[place + 1]) : 0);
      if (hasRow) place++;
    }
    return node;
  }

  private void addRow(String path) throws Exception {
    if (find(path) != null) return;
    String[] steps = ("/" + path).split("/");
    String around = path.substring(0, Math.max(path.length() - steps[steps.length - 2].length() - steps[steps.length - 1].length() - 2, 0));
    TreeReference row = find(around).getRef().extendRef(steps[steps.length - 2], Integer.parseInt(steps[steps.length - 1]));
    List<FormIndex> way = new ArrayList<>();
    search(form, row, way);
    FormIndex index = null;
    for (int place = way.size() - 1; place >= 0; place--) {
      FormIndex step = way.get(place);
      index = new FormIndex(index, step.getLocalIndex(), step.getInstanceIndex(), step.getReference());
    }
    form.createNewRepeat(index);
  }

  /** Find the steps to a row in the form's groups. */
  private boolean search(IFormElement group, TreeReference row, List<FormIndex> way) {
    for (int place = 0; place < group.getChildren().size(); place++) {
      if (!(group.getChild(place) instanceof GroupDef child)) continue;
      TreeReference bind = FormInstance.unpackReference(child.getBind()).genericize(), here = row.clone();
      while (here.size() > bind.size()) here = here.getParentRef();
      if (!here.genericize().equals(bind)) continue;
      way.add(new FormIndex(place, child.getRepeat() ? here.getMultLast() : -1, here));
      if (child.getRepeat() && bind.size() == row.size() || search(child, row, way)) return true;
      way.remove(way.size() - 1);
    }
    return false;
  }

  private void write(TreeElement group, String path) {
    for (TreeElement node : children(group)) {
      String here = path + node.getName();
      GroupDef repeat = repeats.get(pathOf(node));
      if (repeat != null && node.getMult() == 0 && repeat.getCountReference() != null) {
        IAnswerData count = form.getMainInstance().resolveReference(repeat.getConextualizedCountReference(node.getRef())).getValue();
        add(here + "!count", count == null ? "0" : count.uncast().getString());
      }
      if (node.getNumChildren() == 0) writeQuestion(node, here);
      write(node, here + "/" + (node.isRepeatable() ? node.getMult() + "/" : ""));
    }
  }

  private void writeQuestion(TreeElement node, String path) {
    add(path + "!shown", "yes");
    if (node.isRequired()) add(path + "!required", "yes");
    if (!node.isEnabled()) add(path + "!readonly", "yes");
    writeAnswer(node, path);
    List<SelectChoice> choices = offer(node);
    if (choices != null) {
      TreeSet<String> values = new TreeSet<>();
      for (SelectChoice choice : choices) values.add(choice.getValue());
      add(path + "!choices", String.join(" ", values));
    }
  }

  private void writeAnswer(TreeElement node, String path) {
    if (node.getValue() == null) return;
    add(path, node.getValue().uncast().getString());
    boolean isEmpty = node.getValue().uncast().getString().isEmpty();
    if (!isEmpty && !form.evaluateConstraint(node.getRef(), node.getValue())) add(path + "!constraint", "broken");
  }

  private void add(String key, String value) {
    found.append(key).append('\t').append(value.replaceAll("[\t\n\r]", " ")).append('\t');
  }

  private static List<TreeElement> children(TreeElement group) {
    List<TreeElement> some = new ArrayList<>();
    for (int place = 0; place < group.getNumChildren(); place++) {
      TreeElement node = group.getChildAt(place);
      if (node.getMult() != TreeReference.INDEX_TEMPLATE && node.isRelevant()) some.add(node);
    }
    return some;
  }
}
