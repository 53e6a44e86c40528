import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.javarosa.core.model.FormDef;
import org.javarosa.core.model.data.IAnswerData;
import org.javarosa.core.model.instance.InstanceInitializationFactory;
import org.javarosa.core.model.instance.TreeElement;
import org.javarosa.core.model.instance.TreeReference;
import org.javarosa.core.reference.PrefixedRootFactory;
import org.javarosa.core.reference.Reference;
import org.javarosa.core.reference.ReferenceManager;
import org.javarosa.core.util.JavaRosaCoreModule;
import org.javarosa.model.xform.XFormsModule;
import org.javarosa.xform.util.XFormAnswerDataParser;
import org.javarosa.xform.util.XFormUtils;

/**
 * Fills in an XForm with the reference implementation: for each line "path<tab>value..." it writes all values. A path is the
 * name of a question, or "orders/0/total" for the one in the first row of a repeat. Attached files are beside the form,
 * whose path is the argument, or without one the first value of each line.
 */
public class Filler {
  static String path;

  public static void main(String[] args) throws Exception {
    path = args.length > 0 ? args[0] : null;
    new JavaRosaCoreModule().registerModule();
    new XFormsModule().registerModule();
    ReferenceManager.instance().addReferenceFactory(new PrefixedRootFactory(new String[] {"file-csv/"}) {
      @Override
      protected Reference factory(String name, String uri) {
        return new Attached(java.nio.file.Path.of(path).resolveSibling(name).toString(), uri);
      }
    });
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] parts = line.split("\t", -1);
      if (args.length > 0) {
        System.out.println("=" + fill(parts));
        continue;
      }
      path = parts[0];
      try {
        System.out.println("=" + fill(java.util.Arrays.copyOfRange(parts, 1, parts.length)));
      } catch (Exception error) {
        System.out.println("=failed\t" + error.getClass().getSimpleName() + "\t");
      }
    }
  }

  static StringBuilder fill(String[] parts) throws Exception {
    FormDef form = XFormUtils.getFormFromInputStream(new FileInputStream(path));
    TreeElement root = form.getMainInstance().getRoot();
    for (int place = 0; place + 1 < parts.length; place += 2) find(root, parts[place]);
    form.initialize(true, new InstanceInitializationFactory());
    for (int place = 0; place + 1 < parts.length; place += 2) {
      TreeElement node = find(root, parts[place]);
      IAnswerData value = XFormAnswerDataParser.getAnswerData(parts[place + 1], node.getDataType(), null);
      form.setValue(value, node.getRef(), true);
    }
    // As when the filled-in form is opened again: a change does not update what other rows read of it.
    form.initialize(false, new InstanceInitializationFactory());
    StringBuilder found = new StringBuilder();
    write(root, "", found);
    return found;
  }

  /** Return the question at a path, and create the rows that lead to it: copies of the first, which is still empty. */
  static TreeElement find(TreeElement node, String path) {
    String[] steps = path.split("/");
    for (int place = 0; place < steps.length; place += 2) {
      int row = place + 1 < steps.length ? Integer.parseInt(steps[place + 1]) : 0;
      TreeElement child = node.getChild(steps[place], row);
      if (child == null) {
        child = node.getChild(steps[place], 0).deepCopy(true);
        removeFurtherRows(child);
        child.setMult(row);
        node.addChild(child);
      }
      node = child;
    }
    return node;
  }

  static void removeFurtherRows(TreeElement row) {
    for (int place = row.getNumChildren() - 1; place >= 0; place--) {
      TreeElement child = row.getChildAt(place);
      if (child.getMult() > 0) row.removeChildAt(place);
      else removeFurtherRows(child);
    }
  }

  static void write(TreeElement group, String path, StringBuilder found) {
    for (int place = 0; place < group.getNumChildren(); place++) {
      TreeElement node = group.getChildAt(place);
      if (node.getMult() == TreeReference.INDEX_TEMPLATE || !node.isRelevant()) continue;
      IAnswerData value = node.getValue();
      if (value != null) found.append(path).append(node.getName()).append('\t').append(value.uncast().getString().replace("\t", " ").replace("\n", " ")).append('\t');
      write(node, path + node.getName() + "/" + (node.isRepeatable() ? node.getMult() + "/" : ""), found);
    }
  }

  /** A file that is attached to the form. */
  record Attached(String path, String uri) implements Reference {
    public boolean doesBinaryExist() { return true; }
    public InputStream getStream() throws IOException { return new FileInputStream(path); }
    public String getURI() { return uri; }
    public String getLocalURI() { return path; }
    public boolean isReadOnly() { return true; }
    public OutputStream getOutputStream() { throw new UnsupportedOperationException(); }
    public void remove() { throw new UnsupportedOperationException(); }
    public Reference[] probeAlternativeReferences() { return new Reference[0]; }
  }
}
