package io.lambdafs.platform;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.rpc.fuzz.Finding;
import java.util.Optional;

/** Bodies that the gateway takes: any JSON object as a payload, an action's specification from its operator. */
public final class GatewayBodyFuzz {
    private GatewayBodyFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        ObjectNode body;
        try {
            body = Json.parseObject(input);
        } catch (IllegalArgumentException refusal) {
            if (input.length > 0 && Json.shape(input) != Json.Shape.NO_OBJECT && !isRepeated(refusal)) {
                throw new Finding("refused as an object, whose shape is one: " + refusal.getMessage());
            }
            return;
        }
        Json.Shape shape = input.length == 0 ? Json.Shape.OBJECT : Json.shape(input);
        if (shape == Json.Shape.NO_OBJECT || (shape == Json.Shape.OBJECT_WITH_ERROR) != body.has("error")) {
            throw new Finding("an object whose shape is " + shape + ": " + body);
        }
        ActionSpec spec;
        try {
            spec = ActionJson.read("nn0", body, Optional.empty());
        } catch (IllegalArgumentException refusal) {
            return;
        }
        ActionSpec again =
                ActionJson.read("nn0", Json.parseObject(Json.bytes(ActionJson.write(spec))), Optional.empty());
        if (!again.equals(spec)) {
            throw new Finding("read again it is another action: " + spec);
        }
    }

    /** Numbers of thousands of digits are passed on, and refused where they are looked at. */
    private static boolean isRepeated(IllegalArgumentException refusal) {
        return String.valueOf(refusal.getMessage()).contains("Number value length");
    }
}
