package io.lambdafs.hammer.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PresumedTest {
    @TempDir
    private Path folder;

    /** Directories with a slash at their end. */
    private List<String> presumed(String... operations) throws Exception {
        List<String> lines = new ArrayList<>(List.of("time,client,op,path,path2"));
        for (String operation : operations) {
            String[] words = operation.split(" ", -1);
            lines.add("1,c," + words[0] + "," + words[1] + "," + (words.length > 2 ? words[2] : ""));
        }
        TraceScan scan = TraceScan.of(new CsvTrace(Files.write(folder.resolve("trace"), lines)), true);
        List<String> found = new ArrayList<>();
        try (Presumed presumed = new Presumed(scan)) {
            for (Presumed.Entry entry = presumed.next(); entry != null; entry = presumed.next()) {
                found.add(entry.path() + (entry.isDirectory() ? "/" : ""));
            }
        }
        return found;
    }

    @Test
    void shouldFindOnceWhatIsReadRemovedMovedAndListed() throws Exception {
        assertThat(presumed("read /a/f", "stat /a/f", "read /a/f", "ls /d", "delete /x", "mv /m /n/m"))
                .containsExactly("/a/f", "/d/", "/x", "/m", "/n/");
    }

    @Test
    void shouldNotPresumeWhatTheTraceMakesBefore() throws Exception {
        assertThat(presumed("create /a", "read /a", "mkdirs /d", "ls /d", "mv /a /b", "read /b"))
                .isEmpty();
        assertThat(presumed("read /a", "create /a")).containsExactly("/a");
    }

    @Test
    void shouldNotPresumeANameThatIsOnlyLookedForBeforeItIsMade() throws Exception {
        assertThat(presumed("stat /a", "create /a", "stat /d", "mkdirs /d", "stat /m", "mv /a /m"))
                .isEmpty();
    }

    @Test
    void shouldTakeForADirectoryWhatHasSomethingBelowLater() throws Exception {
        assertThat(presumed("stat /d", "read /d/f", "stat /e", "ls /e")).containsExactly("/d/", "/d/f", "/e/");
    }

    @Test
    void shouldNotPresumeWhatCameWithAMovedDirectory() throws Exception {
        assertThat(presumed("mkdirs /t/job", "create /t/job/f", "mv /t/job /done", "read /done/f", "ls /done"))
                .isEmpty();
    }
}
