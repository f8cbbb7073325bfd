package io.lambdafs.store;

/** A typed column. */
public record Column(String name, Type type) {
    /** What a column holds: {@code Long}, {@code String} or {@code byte[]}; never null. */
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

    public static Column int64(String name) {
        return new Column(name, Type.INT64);
    }

    public static Column string(String name) {
        return new Column(name, Type.STRING);
    }

    public static Column bytes(String name) {
        return new Column(name, Type.BYTES);
    }
}
