package io.lambdafs.lambda;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Lambda's function tells the handler by environment variables, beside those of every instance. Immutable.
 *
 * @param deployment {@code LAMBDAFS_DEPLOYMENT}; where it is not given, the number that the function's name ends with
 * @param mode {@code LAMBDAFS_MODE}: {@code invocation}, unless given, or {@code held}
 * @param idle {@code LAMBDAFS_IDLE_MILLIS}: how long an instance that holds its invocation stays without a request; 10,000 unless given
 * @param most {@code LAMBDAFS_MAX_HELD}: instances of a deployment that hold an invocation at once; 16 unless given
 * @param fromSnapshot whether what the constructor makes goes into a snapshot, from which many processes go on (SnapStart)
 */
record LambdaSettings(int deployment, Mode mode, Duration idle, int most, boolean fromSnapshot) {
    /** When requests are served. */
    enum Mode {
        /** Within the invocations that bring them. */
        INVOCATION,
        /** By TCP besides, for as long as an invocation is held open for that. */
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
        return new FsException(
                ErrorCode.INVALID_ARGUMENT, name + " must be " + expected + ", not \"" + given + "\": correct it");
    }
}
