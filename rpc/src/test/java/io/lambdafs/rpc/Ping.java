package io.lambdafs.rpc;

/** A message of the tests. */
@SuppressWarnings("ArrayRecordComponent")
record Ping(int number, byte[] payload) implements Message {
    static final int TYPE = 900;

    static Ping of(int number) {
        return new Ping(number, new byte[0]);
    }

    static Ping ofBytes(int bytes) {
        return new Ping(0, new byte[bytes]);
    }

    static Codec.Builder register(Codec.Builder builder) {
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
