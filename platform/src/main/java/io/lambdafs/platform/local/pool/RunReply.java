package io.lambdafs.platform.local.pool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.local.instance.ActionReply;
import java.nio.charset.StandardCharsets;

/** The meaning of an instance's reply to {@code /run}. */
@SuppressWarnings("ArrayRecordComponent")
record RunReply(Outcome outcome, byte[] result) {
    private static final int MAX_QUOTED = 1024;

    static RunReply of(ActionReply reply) {
        Json.Shape shape = Json.shape(reply.body());
        if (reply.status() == 200 && shape != Json.Shape.NO_OBJECT) {
            boolean error = shape == Json.Shape.OBJECT_WITH_ERROR;
            return new RunReply(error ? Outcome.APPLICATION_ERROR : Outcome.SUCCESS, reply.body());
        }
        if (shape == Json.Shape.OBJECT_WITH_ERROR) {
            ObjectNode error = Json.object();
            error.set("error", Json.parseObject(reply.body()).get("error"));
            return new RunReply(Outcome.DEVELOPER_ERROR, Json.bytes(error));
        }
        return new RunReply(Outcome.DEVELOPER_ERROR, Messages.result(Messages.invalidRun(quote(reply))));
    }

    /** Returns the message of a failed {@code /init}. */
    static String initFailure(ActionReply reply) {
        if (Json.shape(reply.body()) == Json.Shape.OBJECT_WITH_ERROR) {
            return Messages.failedInit(
                    Json.parseObject(reply.body()).path("error").asText());
        }
        return Messages.failedInit(quote(reply));
    }

    private static String quote(ActionReply reply) {
        int length = Math.min(reply.body().length, MAX_QUOTED);
        return new String(reply.body(), 0, length, StandardCharsets.UTF_8);
    }
}
