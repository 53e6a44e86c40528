import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.opendatakit.validate.ErrorListener;
import org.opendatakit.validate.FormValidator;

/** Validates the forms whose paths it reads: for each, it writes "=path<tab>errors". */
public class Validator {
  public static void main(String[] args) throws Exception {
    BufferedReader paths = new BufferedReader(new InputStreamReader(System.in));
    PrintStream out = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    for (String path = paths.readLine(); path != null; path = paths.readLine()) {
      StringBuilder errors = new StringBuilder();
      FormValidator validator = new FormValidator().setErrorListener(new ErrorListener() {
        public void error(Object text) { errors.append(text).append(' '); }
        public void error(Object text, Throwable cause) { errors.append(text).append(' ').append(cause).append(' '); }
        public void info(Object text) { }
      });
      try {
        validator.validate(Files.readAllBytes(Path.of(path)));
      } catch (Exception error) {
        errors.append(error);
      }
      out.println("=" + path + "\t" + errors.toString().replaceAll("\\s+", " ").trim());
    }
    out.flush();
    System.exit(0);
  }
}
