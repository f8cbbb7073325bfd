package io.lambdafs.lambda;

import io.lambdafs.model.FsException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The handler's environment variables on Lambda, in addition to those of every instance. Immutable.
 *
 * @param deployment {@code LAMBDAFS_DEPLOYMENT}; by default the number at the end of the function's name
 * @param mode {@code LAMBDAFS_MODE}: {@code invocation}, unless given, or {@code held}
 * @param idle {@code LAMBDAFS_IDLE_MILLIS}: idle time after which a held invocation ends; 10,000 by default
 * @param most {@code LAMBDAFS_MAX_HELD}: maximum instances of a deployment holding an invocation at once; 16 by default
 * @param fromSnapshot whether the constructor runs before a snapshot that many processes resume from (SnapStart)
 */
record LambdaSettings(int deployment, Mode mode, Duration idle, int most, boolean fromSnapshot) {
    /** When requests are served. */
    enum Mode {
        /** Within the invocations that bring them. */
        INVOCATION,
        /** Also by TCP, while an invocation is held open for that. */
        HELD
    }

    private static final Pattern NUMBER = Pattern.compile("(\\d{1,4})$");

    static LambdaSettings of(Map<String, String> variables) {
        String mode = variables.getOrDefault("LAMBDAFS_MODE", "invocation");
        if (!mode.equals("invocation") && !mode.equals("held")) {
            throw wrong("LAMBDAFS_MODE", "invocation or held", mode);
        }
        return new LambdaSettings(
                deployment(variables),
                Mode.valueOf(mode.toUpperCase(Locale.ROOT)),
                Duration.ofMillis(number(variables, "LAMBDAFS_IDLE_MILLIS", 10_000, 100, 900_000)),
                (int) number(variables, "LAMBDAFS_MAX_HELD", 16, 1, 1_000),
                "snap-start".equals(variables.get("AWS_LAMBDA_INITIALIZATION_TYPE")));
    }

    private static int deployment(Map<String, String> variables) {
        String name = variables.getOrDefault("AWS_LAMBDA_FUNCTION_NAME", "");
        Matcher matcher = NUMBER.matcher(variables.getOrDefault("LAMBDAFS_DEPLOYMENT", name));
        if (!matcher.find()) {
            throw wrong(
                    "LAMBDAFS_DEPLOYMENT", "the number of a deployment, or the function's name must end with it", name);
        }
        return Integer.parseInt(matcher.group(1));
    }

    private static long number(Map<String, String> variables, String name, long otherwise, long least, long most) {
        String text = variables.get(name);
        if (text == null || text.isEmpty()) {
            return otherwise;
        }
        try {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // Said below.
        }
        throw wrong(name, "a number from " + least + " to " + most, text);
    }

    private static FsException wrong(String name, String expected, String given) {
        return FsException.invalidArgument(name + " must be " + expected + ", not \"" + given + "\": correct it");
    }
}
