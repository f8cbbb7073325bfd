package io.lambdafs.client.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.tcp.TcpOffer;
import io.lambdafs.model.FsException;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import java.io.IOException;
import java.net.URI;
import java.util.Base64;
import java.util.Optional;

/**
 * Encodes the bodies of function calls and their replies, the same for every API: {@code
 * {"v":1,"request":"<base64>","token":"…","connected":true,"tcp":[{"host","port","transport","registration"}]}} and
 * {@code {"v":1,"reply":"<base64>"}}; the base64 texts are codec bytes of {@link OperationRequest} and {@link
 * OperationReply}. A body without a request only wakes an instance. Thread-safe.
 */
public final class FunctionBody {
    public static final int VERSION = 1;
    /** Maximum HTTP body: the largest frame in base64, plus its envelope. */
    public static final int MAX_BYTES = Transport.MAX_FRAME / 3 * 4 + (64 << 10);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Codec codec;
    private final URI gateway;

    /** @param gateway named in messages about invalid replies */
    public FunctionBody(Codec codec, URI gateway) {
        this.codec = codec;
        this.gateway = gateway;
    }

    /** Encodes the body of a call. */
    public byte[] write(Invocation invocation) {
        ObjectNode body = JSON.createObjectNode();
        body.put("v", VERSION);
        OperationRequest request = invocation.request();
        if (request != null) {
            WireWriter out = new WireWriter();
            codec.write(out, request);
            body.put("request", Base64.getEncoder().encodeToString(out.toByteArray()));
        }
        body.put("token", invocation.token());
        if (invocation.connected()) {
            body.put("connected", true);
        }
        ArrayNode tcp = body.putArray("tcp");
        for (TcpOffer offer : invocation.tcp()) {
            tcp.addObject()
                    .put("host", offer.host())
                    .put("port", offer.port())
                    .put("transport", offer.transport().label())
                    .put("registration", offer.registration());
        }
        try {
            return JSON.writeValueAsBytes(body);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of strings and numbers cannot be written", e);
        }
    }

    /**
     * Decodes a function's reply.
     *
     * @param function its name, for messages
     * @return empty for a call without a request
     * @throws FsException {@code INTERNAL} if it is not a λFS reply; or the failure in the reply
     */
    public Optional<OperationReply> read(byte[] body, Invocation invocation, String function) {
        JsonNode root;
        try {
            root = JSON.readTree(body);
        } catch (IOException e) {
            throw HttpErrors.notOurs("not JSON", function, gateway);
        }
        return read(root, invocation, function);
    }

    Optional<OperationReply> read(JsonNode root, Invocation invocation, String function) {
        if (root == null || root.path("v").asInt(-1) != VERSION) {
            throw HttpErrors.notOurs("no version " + VERSION, function, gateway);
        }
        if (invocation.request() == null && !root.has("reply")) {
            return Optional.empty();
        }
        return Optional.of(decode(root.path("reply").asText(""), function));
    }

    private OperationReply decode(String reply, String function) {
        Message message;
        try {
            message = codec.read(new WireReader(Base64.getDecoder().decode(reply)));
        } catch (FsException | IllegalArgumentException e) {
            throw HttpErrors.notOurs(String.valueOf(e.getMessage()), function, gateway);
        }
        if (message instanceof OperationReply operationReply) {
            return operationReply;
        }
        if (message instanceof Failed failed) {
            throw failed.toException();
        }
        throw HttpErrors.notOurs(message.getClass().getSimpleName(), function, gateway);
    }
}
