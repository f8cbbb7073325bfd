package io.lambdafs.cluster.quota;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number as Hadoop's commands take it: {@code 10}, {@code 10k}, {@code 1.5g}; units are powers of 1024. Immutable. */
record Amount(long value) {
    private static final String UNITS = "kmgtpe";

    /** Reads an amount from the command line. */
    static final class Converter implements ITypeConverter<Amount> {
        @Override
        public Amount convert(String text) {
            String number = text.toLowerCase(Locale.ROOT);
            int unit = number.isEmpty() ? -1 : UNITS.indexOf(number.charAt(number.length() - 1));
            try {
                return unit < 0
                        ? whole(Long.parseLong(number), text)
                        : whole(
                                Double.parseDouble(number.substring(0, number.length() - 1))
                                        * Math.pow(2, 10 * (unit + 1)),
                                text);
            } catch (NumberFormatException e) {
                throw bad(text);
            }
        }

        private static Amount whole(double value, String text) {
            if (!(value >= 0 && value < Long.MAX_VALUE)) {
                throw bad(text);
            }
            return new Amount((long) value);
        }

        private static Amount whole(long value, String text) {
            if (value < 0 || value == Long.MAX_VALUE) {
                throw bad(text);
            }
            return new Amount(value);
        }

        private static TypeConversionException bad(String text) {
            return new TypeConversionException("'" + text + "' is no number like 1000, 10k or 1.5g");
        }
    }
}
