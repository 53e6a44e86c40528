import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.javarosa.core.model.FormDef;
import org.javarosa.core.model.data.IAnswerData;
import org.javarosa.core.model.instance.InstanceInitializationFactory;
import org.javarosa.core.model.instance.TreeElement;
import org.javarosa.core.util.JavaRosaCoreModule;
import org.javarosa.model.xform.XFormsModule;
import org.javarosa.xform.util.XFormAnswerDataParser;
import org.javarosa.xform.util.XFormUtils;

/** Fills in an XForm with the reference implementation: for each line "name<tab>value..." it writes all values. */
public class Filler {
  public static void main(String[] args) throws Exception {
    new JavaRosaCoreModule().registerModule();
    new XFormsModule().registerModule();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      FormDef form = XFormUtils.getFormFromInputStream(new FileInputStream(args[0]));
      form.initialize(true, new InstanceInitializationFactory());
      TreeElement root = form.getMainInstance().getRoot();
      String[] parts = line.split("\t", -1);
      for (int place = 0; place + 1 < parts.length; place += 2) {
        TreeElement node = root.getFirstChild(parts[place]);
        IAnswerData value = XFormAnswerDataParser.getAnswerData(parts[place + 1], node.getDataType(), null);
        form.setValue(value, node.getRef(), true);
      }
      StringBuilder found = new StringBuilder();
      for (int place = 0; place < root.getNumChildren(); place++) {
        TreeElement node = root.getChildAt(place);
        IAnswerData value = node.getValue();
        if (value != null && node.isRelevant()) found.append(node.getName()).append('\t').append(value.uncast().getString().replace("\t", " ").replace("\n", " ")).append('\t');
      }
      System.out.println("=" + found);
    }
  }
}
