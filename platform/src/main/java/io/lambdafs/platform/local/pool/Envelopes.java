package io.lambdafs.platform.local.pool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.platform.ActionExec;
import io.lambdafs.platform.ActionSpec;
import io.lambdafs.platform.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** Writes the bodies of OpenWhisk's action protocol. Thread-safe. */
public final class Envelopes {
    private static final byte[] BEGIN = "{\"value\":".getBytes(StandardCharsets.UTF_8);

    private final String namespace;
    private final Supplier<String> apiHost;

    /** @param apiHost supplies the gateway's own URL at every {@code /init} */
    public Envelopes(String namespace, Supplier<String> apiHost) {
        this.namespace = namespace;
        this.apiHost = apiHost;
    }

    byte[] init(RegisteredAction action, String instanceId) {
        ActionSpec spec = action.spec();
        ActionExec exec = spec.exec();
        ObjectNode root = Json.object();
        ObjectNode value = root.putObject("value")
                .put("name", spec.name())
                .put("main", exec.main().isEmpty() ? "main" : exec.main())
                .put("code", exec.code())
                .put("binary", exec.binary());
        ObjectNode environment = value.putObject("env");
        spec.environment()
                .forEach((key, given) -> environment.set(key, Json.mapper().valueToTree(given)));
        environment
                .put("__OW_API_HOST", apiHost.get())
                .put("__OW_NAMESPACE", namespace)
                .put("__OW_ACTION_NAME", qualified(spec))
                .put("__OW_ACTION_VERSION", action.version())
                .put("__OW_ALLOW_CONCURRENT", Boolean.toString(spec.limits().concurrency() > 1))
                .put("LAMBDAFS_INSTANCE_ID", instanceId);
        return Json.bytes(root);
    }

    /** @param deadlineMillis the call's deadline, milliseconds since 1970 */
    byte[] run(RegisteredAction action, Call call, long deadlineMillis) {
        byte[] payload = withParameters(action.spec(), call.payload);
        ObjectNode rest = Json.object()
                .put("namespace", namespace)
                .put("action_name", qualified(action.spec()))
                .put("action_version", action.version())
                .put("activation_id", call.id)
                .put("transaction_id", call.id)
                .put("deadline", Long.toString(deadlineMillis));
        if (call.client != null) {
            rest.put("client_address", call.client.getHostAddress());
        }
        byte[] tail = Json.bytes(rest);
        // The payload is known to be an object, so no tree is built.
        ByteArrayOutputStream out = new ByteArrayOutputStream(BEGIN.length + payload.length + tail.length);
        out.writeBytes(BEGIN);
        out.writeBytes(payload);
        out.write(',');
        out.write(tail, 1, tail.length - 1);
        return out.toByteArray();
    }

    private static byte[] withParameters(ActionSpec spec, byte[] payload) {
        if (!spec.parameters().isEmpty()) {
            ObjectNode merged = Json.mapper().valueToTree(spec.parameters());
            merged.setAll(Json.parseObject(payload));
            return Json.bytes(merged);
        }
        return payload.length == 0 ? Json.bytes(Json.object()) : payload;
    }

    private String qualified(ActionSpec spec) {
        return "/" + namespace + "/" + spec.name();
    }
}
