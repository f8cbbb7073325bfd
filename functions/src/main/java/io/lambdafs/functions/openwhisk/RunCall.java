package io.lambdafs.functions.openwhisk;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.lambdafs.functions.serving.ClientConnections;
import io.lambdafs.functions.serving.ClientRanges;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.tracing.TraceParent;
import io.lambdafs.rpc.transports.TransportKind;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parsed body of {@code /run}, version 1. Immutable.
 *
 * @param request an encoded {@link io.lambdafs.rpc.message.OperationRequest}; null for a call that only requests connections
 * @param token proves the caller's identity; its only source
 * @param servers the calling client's TCP servers; Netty unless specified
 * @param trace the gateway's span; null if there is none
 * @param client source address of the call, from the platform's {@code client_address}; null if unknown
 */
@SuppressWarnings("ArrayRecordComponent") // Decoded once, never compared.
record RunCall(
        byte @Nullable [] request,
        String token,
        List<ClientConnections.Server> servers,
        @Nullable TraceParent trace,
        @Nullable InetAddress client) {
    static final int VERSION = 1;

    /** Collects fields in any order. Confined to one call. */
    private static final class Fields implements ActionJson.Field {
        long version = -1;
        byte @Nullable [] request;
        String token = "";
        final List<ClientConnections.Server> servers = new ArrayList<>();

        @Nullable
        TraceParent trace;

        @Nullable
        InetAddress client;

        @Override
        public void take(String key, JsonParser parser) throws IOException {
            switch (key) {
                case "v" -> version = RunCall.version(parser);
                case "request" -> request = parser.getBinaryValue();
                case "token" -> token = ActionJson.text(key, parser);
                case TraceParent.HEADER ->
                    trace = TraceParent.of(ActionJson.text(key, parser)).orElse(null);
                case "tcp" -> RunCall.servers(parser, servers);
                default -> parser.skipChildren();
            }
        }
    }

    /** Parses the body; fails with {@code INVALID_ARGUMENT}. */
    static RunCall parse(byte[] body) {
        Fields fields = new Fields();
        ActionJson.value(body, fields, (key, parser) -> {
            if (key.equals("client_address")) {
                fields.client = ClientRanges.literal(ActionJson.text(key, parser));
            } else {
                parser.skipChildren();
            }
        });
        return of(fields);
    }

    /** Parses a body without an envelope, as in a plain POST; its source address is unknown. */
    static RunCall parseBare(byte[] body) {
        Fields fields = new Fields();
        ActionJson.bare(body, fields);
        return of(fields);
    }

    private static RunCall of(Fields fields) {
        if (fields.version != VERSION) {
            throw FsException.invalidArgument(
                    "\"v\" must be " + VERSION + ": client and function are of different versions");
        }
        return new RunCall(fields.request, fields.token, List.copyOf(fields.servers), fields.trace, fields.client);
    }

    private static long version(JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT) {
            throw ActionJson.malformed("\"v\" is not a whole number");
        }
        return parser.getLongValue();
    }

    private static void servers(JsonParser parser, List<ClientConnections.Server> into) throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw ActionJson.malformed("\"tcp\" is not an array");
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw ActionJson.malformed("an element of \"tcp\" is not an object");
            }
            String host = "";
            int port = 0;
            TransportKind transport = TransportKind.NETTY;
            String registration = "";
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String key = parser.currentName();
                parser.nextToken();
                switch (key) {
                    case "host" -> host = ActionJson.text(key, parser);
                    case "port" -> port = parser.getIntValue();
                    case "transport" -> transport = transport(ActionJson.text(key, parser));
                    case "registration" -> registration = ActionJson.text(key, parser);
                    default -> parser.skipChildren();
                }
            }
            if (into.size() < ClientConnections.MAX_SERVERS_PER_CALL) {
                into.add(new ClientConnections.Server(host, port, transport, registration));
            }
        }
    }

    private static TransportKind transport(String label) {
        try {
            return TransportKind.of(label);
        } catch (IllegalArgumentException e) {
            throw FsException.invalidArgument(
                    "\"tcp\": " + e.getMessage() + ": configure the client's transport as one of these");
        }
    }
}
