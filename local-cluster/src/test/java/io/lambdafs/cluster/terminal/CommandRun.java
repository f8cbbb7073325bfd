package io.lambdafs.cluster.terminal;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.ToIntBiFunction;
import picocli.CommandLine;

/** A command that was run in this process: its exit code and what it wrote. Hadoop's shell writes to the process's own streams. */
public record CommandRun(int exit, String out, String err) {
    /** Runs a command, by its options and parameters. */
    public static CommandRun ofCommand(Function<Console, Object> command, Object... arguments) {
        return of(
                (console, words) -> CommandLines.configured(new CommandLine(command.apply(console)), console)
                        .execute(words),
                arguments);
    }

    /** Runs a program; no two at a time. */
    public static CommandRun of(ToIntBiFunction<Console, String[]> program, Object... arguments) {
        String[] texts = new String[arguments.length];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = arguments[i].toString();
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream outStream = new PrintStream(out, true, StandardCharsets.UTF_8);
        PrintStream errStream = new PrintStream(err, true, StandardCharsets.UTF_8);
        PrintStream processOut = System.out;
        PrintStream processErr = System.err;
        System.setOut(outStream);
        System.setErr(errStream);
        try {
            int exit = program.applyAsInt(new Console(outStream, errStream, 0), texts);
            return new CommandRun(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(processOut);
            System.setErr(processErr);
        }
    }
}
