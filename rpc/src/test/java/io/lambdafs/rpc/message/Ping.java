package io.lambdafs.rpc.message;

/** A message of the tests. */
@SuppressWarnings("ArrayRecordComponent")
public record Ping(int number, byte[] payload) implements Message {
    static final int TYPE = 900;

    public static Ping of(int number) {
        return new Ping(number, new byte[0]);
    }

    public static Ping ofBytes(int bytes) {
        return new Ping(0, new byte[bytes]);
    }

    public static Codec.Builder register(Codec.Builder builder) {
        return builder.register(
                TYPE,
                Ping.class,
                (out, ping) -> {
                    out.writeInt(ping.number());
                    out.writeBytes(ping.payload());
                },
                in -> new Ping(in.readInt(), in.readBytes()));
    }
}
