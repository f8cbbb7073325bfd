package io.lambdafs.cluster.trash;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An age as commands take and print it: {@code 90m}, {@code 12h}, {@code 7d}. Immutable. */
record Age(Duration duration) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,6})([mhd])");
    private static final int FEW = 2;

    /** Returns the age in its largest unit of which there are a few. */
    @Override
    public String toString() {
        if (duration.toDays() >= FEW) {
            return duration.toDays() + "d";
        }
        return duration.toHours() >= FEW ? duration.toHours() + "h" : duration.toMinutes() + "m";
    }

    /** Reads an age from the command line. */
    static final class Converter implements ITypeConverter<Age> {
        @Override
        public Age convert(String text) {
            Matcher parts = TEXT.matcher(text);
            if (!parts.matches()) {
                throw new TypeConversionException("'" + text + "' is no age like 90m, 12h or 7d");
            }
            long number = Long.parseLong(parts.group(1));
            return new Age(
                    switch (parts.group(2)) {
                        case "m" -> Duration.ofMinutes(number);
                        case "h" -> Duration.ofHours(number);
                        default -> Duration.ofDays(number);
                    });
        }
    }
}
