import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.util.ToolRunner;

/** A file of 7 MB, put, listed, moved, fetched and removed by Hadoop's own shell. Arguments: a directory of λFS, a directory for local files. */
public final class HadoopShell {
    private static final int BYTES = 7 << 20;
    private static final PrintStream OUT = System.out;

    private HadoopShell() {}

    public static void main(String[] arguments) throws Exception {
        String there = arguments[0];
        Path sent = Path.of(arguments[1], "sent");
        Path fetched = Path.of(arguments[1], "fetched");
        byte[] content = new byte[BYTES];
        new Random(7).nextBytes(content);
        Files.write(sent, content);

        run(0, "-mkdir", "-p", there + "/in/deep");
        run(0, "-put", sent.toString(), there + "/in/deep/seven");
        expect(run(0, "-ls", "-R", there), BYTES + " ", there + "/in/deep/seven");
        run(0, "-mv", there + "/in/deep/seven", there + "/in/moved");
        run(1, "-test", "-e", there + "/in/deep/seven");
        run(0, "-get", there + "/in/moved", fetched.toString());
        if (Files.mismatch(sent, fetched) != -1) {
            throw new IllegalStateException("what was fetched is not what was put");
        }
        run(0, "-appendToFile", sent.toString(), there + "/in/moved");
        expect(run(0, "-stat", "%b %F", there + "/in/moved"), 2 * BYTES + " regular file");
        run(0, "-chmod", "640", there + "/in/moved");
        expect(run(0, "-ls", there + "/in/moved"), "-rw-r-----");
        run(0, "-setfattr", "-n", "user.origin", "-v", "here", there + "/in/moved");
        expect(run(0, "-getfattr", "-d", there + "/in/moved"), "user.origin=\"here\"");
        run(0, "-rm", "-r", "-skipTrash", there);
        run(1, "-test", "-e", there);
    }

    /** Returns the output of a command. */
    private static String run(int status, String... command) throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        int found = ToolRunner.run(new Configuration(), new FsShell(), command);
        System.setOut(OUT);
        String text = printed.toString(StandardCharsets.UTF_8);
        if (found != status) {
            throw new IllegalStateException(String.join(" ", command) + " ended with " + found + ", not " + status + ": " + text);
        }
        return text;
    }

    private static void expect(String text, String... parts) {
        for (String part : parts) {
            if (!text.contains(part)) {
                throw new IllegalStateException("'" + part + "' is not in: " + text);
            }
        }
    }
}
