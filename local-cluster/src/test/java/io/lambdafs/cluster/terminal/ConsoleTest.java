package io.lambdafs.cluster.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ConsoleTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Console console(int columns) {
        return new Console(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                columns);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldKeepResultsApartFromEverythingElse() {
        Console console = console(0);
        console.progress("10 %");
        console.say("half done");
        console.print("{}");
        assertThat(out()).isEqualTo("{}\n");
        assertThat(err()).isEqualTo("10 %\nhalf done\n");
    }

    @Test
    void shouldRewriteOneLineOnATerminalAndCutItToTheWidth() {
        Console console = console(10);
        console.progress("0123456789abc");
        console.progress("short");
        console.print("result");
        assertThat(err()).isEqualTo("\r\u001b[K012345678\r\u001b[Kshort\r\u001b[K");
        assertThat(out()).isEqualTo("result\n");
    }

    @Test
    void shouldPrintFewPlainLinesElsewhere() {
        Console console = console(0);
        for (int i = 0; i < 1_000; i++) {
            console.progress("line " + i);
        }
        assertThat(err()).startsWith("line 0\n").doesNotContain("\r");
        assertThat(err().lines()).hasSizeLessThan(10);
    }

    @Test
    void shouldSayNothingOnceMuted() {
        Console console = console(0);
        console.mute();
        console.print("a");
        console.say("b");
        console.progress("c");
        assertThat(out() + err()).isEmpty();
    }
}
