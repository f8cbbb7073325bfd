package io.lambdafs.rpc.message;

import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Encodes messages as bytes and back. Only registered types can be encoded; there is no reflection. Numbers: 1–99 rpc,
 * 100–199 client and function, 200–299 coherence, 300–399 store, 400–499 blocks. Immutable once built; thread-safe.
 */
public final class Codec {
    /** Writes the fields of a message. */
    @FunctionalInterface
    public interface Encoder<T> {
        void write(WireWriter out, T value);
    }

    /** Reads the fields of a message; fails with {@code BAD_FRAME} if malformed. */
    @FunctionalInterface
    public interface Decoder<T> {
        T read(WireReader in);
    }

    private record Type<T>(int number, Class<T> type, Encoder<T> encoder, Decoder<T> decoder) {
        public void write(WireWriter out, Object value) {
            encoder.write(out, type.cast(value));
        }
    }

    private final Map<Class<?>, Type<?>> byClass;
    private final @Nullable Type<?>[] byNumber;
    private final Map<Class<?>, Predicate<Message>> answeredAtOnce;

    private Codec(Builder of) {
        this.byClass = Map.copyOf(of.byClass);
        this.byNumber = of.byNumber.clone();
        this.answeredAtOnce = Map.copyOf(of.answeredAtOnce);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Appends the type's number and the fields. */
    public void write(WireWriter out, Message message) {
        Type<?> type = byClass.get(message.getClass());
        if (type == null) {
            throw new IllegalArgumentException(message.getClass().getName() + " is not registered with the codec");
        }
        out.writeSize(type.number());
        type.write(out, message);
    }

    /**
     * Returns whether the receiver normally answers without waiting for anything. The sending event loop may then spin
     * for the answer ({@link io.lambdafs.rpc.TransportLimits#lookout}) instead of parking.
     */
    public boolean isAnsweredAtOnce(Message message) {
        Predicate<Message> atOnce = answeredAtOnce.get(message.getClass());
        return atOnce != null && atOnce.test(message);
    }

    /** Reads one message, which must fill the reader to its end. */
    public Message read(WireReader in) {
        int number = 0;
        for (int shift = 0; shift < 21; shift += 7) {
            int b = in.readByte();
            number |= (b & 0x7f) << shift;
            if (b >= 0) {
                break;
            }
        }
        Type<?> type = number >= 0 && number < byNumber.length ? byNumber[number] : null;
        if (type == null) {
            throw WireReader.bad("unknown message type " + number);
        }
        Message message = (Message) type.decoder().read(in);
        in.expectEnd();
        return message;
    }

    /** Collects registrations. Not thread-safe. */
    public static final class Builder {
        private static final int MAX_NUMBER = 1_000;
        private final Map<Class<?>, Type<?>> byClass = new HashMap<>();
        private final @Nullable Type<?>[] byNumber = new Type<?>[MAX_NUMBER];
        private final Map<Class<?>, Predicate<Message>> answeredAtOnce = new HashMap<>();

        private Builder() {}

        /** Registers a class under a number, 1–999. */
        public <T extends Message> Builder register(int number, Class<T> type, Encoder<T> encoder, Decoder<T> decoder) {
            Type<T> entry = new Type<>(number, type, encoder, decoder);
            if (byNumber[number] != null || byClass.put(type, entry) != null) {
                throw new IllegalArgumentException("registered twice: " + number + " " + type.getName());
            }
            byNumber[number] = entry;
            return this;
        }

        /** Sets for which messages of a class {@link Codec#isAnsweredAtOnce} is true. */
        public <T extends Message> Builder answeredAtOnce(Class<T> type, Predicate<T> when) {
            answeredAtOnce.put(type, message -> when.test(type.cast(message)));
            return this;
        }

        public Codec build() {
            return new Codec(this);
        }
    }
}
