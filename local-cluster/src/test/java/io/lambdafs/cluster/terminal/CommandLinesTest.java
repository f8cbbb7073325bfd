package io.lambdafs.cluster.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A command line that refuses its arguments, or fails. */
class CommandLinesTest {
    /** A command with one option. */
    @Command(name = "greet", mixinStandardHelpOptions = true, versionProvider = Version.class)
    static final class Greeting implements Callable<Integer> {
        private final Console console;

        @Option(names = "--name")
        private String name = "";

        Greeting(Console console) {
            this.console = console;
        }

        @Override
        public Integer call() {
            if (name.isEmpty()) {
                throw new FsException(ErrorCode.UNAVAILABLE, "nobody is here");
            }
            console.print("hello " + name.toLowerCase(Locale.ROOT));
            return 0;
        }
    }

    private static CommandRun run(String... words) {
        return CommandRun.ofCommand(Greeting::new, (Object[]) words);
    }

    @Test
    void shouldRunWhatIsAsked() {
        assertThat(run("--name", "ADA")).isEqualTo(new CommandRun(0, "hello ada\n", ""));
    }

    @Test
    void shouldSuggestTheOptionThatIsNearest() {
        CommandRun refused = run("--nam=ada");
        assertThat(refused.exit()).isEqualTo(ExitCode.USAGE.number());
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err())
                .startsWith("lambdafs: Unknown option: '--nam=ada'\nDid you mean --name?\n")
                .contains("greet [-hV] [--name")
                .endsWith("Try: greet --help\n");
    }

    @Test
    void shouldSuggestNoOptionWhereOnlyItsValueIsMissing() {
        CommandRun refused = run("--name");
        assertThat(refused.exit()).isEqualTo(ExitCode.USAGE.number());
        assertThat(refused.err()).doesNotContain("Did you mean").endsWith("Try: greet --help\n");
    }

    @Test
    void shouldTellAFailureInALineAndItsExitCode() {
        CommandRun failed = run();
        assertThat(failed.exit()).isEqualTo(ExitCode.UNREACHABLE.number());
        assertThat(failed.err())
                .isEqualTo("lambdafs: " + ErrorCode.UNAVAILABLE.label() + " UNAVAILABLE: nobody is here\n");
    }

    @Test
    void shouldTellItsVersionAndThatOfJava() {
        // Classes in a folder have no version; those in a jar have the build's.
        assertThat(Version.own()).matches("\\(development\\)|[0-9].*");
        assertThat(new Version().getVersion())
                .containsExactly("lambdafs " + Version.own(), "Java " + Runtime.version());
    }
}
