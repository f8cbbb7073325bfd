package io.lambdafs.store;

import org.jspecify.annotations.Nullable;

/**
 * A typed column. Its index in the table is its permanent number: columns are only added, at the end, with a default.
 *
 * @param fallback the value read from a row without the column; null if every row has had the column from the start
 */
public record Column(String name, Type type, @Nullable Object fallback) {
    /** The type of a column's values: {@code Long}, {@code String} or {@code byte[]}; never null. */
    public enum Type {
        INT64(Long.class),
        STRING(String.class),
        BYTES(byte[].class);

        private final Class<?> javaClass;

        Type(Class<?> javaClass) {
            this.javaClass = javaClass;
        }

        boolean fits(Object value) {
            return value.getClass() == javaClass;
        }
    }

    public Column {
        if (fallback != null && !type.fits(fallback)) {
            throw new IllegalArgumentException(name + " cannot be " + fallback);
        }
    }

    public static Column int64(String name) {
        return new Column(name, Type.INT64, null);
    }

    public static Column string(String name) {
        return new Column(name, Type.STRING, null);
    }

    public static Column bytes(String name) {
        return new Column(name, Type.BYTES, null);
    }

    /** Returns the column as one added later: a row without it reads as {@code value}. */
    public Column orElse(Object value) {
        return new Column(name, type, value);
    }
}
