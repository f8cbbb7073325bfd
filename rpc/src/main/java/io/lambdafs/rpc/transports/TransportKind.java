package io.lambdafs.rpc.transports;

import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.kryonet.KryoTransport;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.netty.NettyTransport;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The transports between clients and instances, and among instances. Both ends of a connection must be of one kind. */
public enum TransportKind {
    NETTY {
        @Override
        public Transport create(Codec codec, int threads, String threadNamePrefix, TransportLimits limits) {
            return new NettyTransport(codec, threads, threadNamePrefix, limits);
        }
    },
    KRYONET {
        @Override
        public Transport create(Codec codec, int threads, String threadNamePrefix, TransportLimits limits) {
            return new KryoTransport(codec, threadNamePrefix, limits);
        }
    };

    private static final String LABELS =
            Arrays.stream(values()).map(TransportKind::label).collect(Collectors.joining(" or "));

    /** Returns the name used in settings and offers. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the kind with a label.
     *
     * @throws IllegalArgumentException if there is none; lists the existing ones
     */
    public static TransportKind of(String label) {
        for (TransportKind kind : values()) {
            if (kind.label().equals(label)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("a transport is " + LABELS + ", not \"" + label + "\"");
    }

    /**
     * Creates a transport of this kind.
     *
     * @param codec knows all messages of both ends
     * @param threads number of event loops, if the kind has them
     * @param threadNamePrefix of all its threads
     */
    public abstract Transport create(Codec codec, int threads, String threadNamePrefix, TransportLimits limits);
}
