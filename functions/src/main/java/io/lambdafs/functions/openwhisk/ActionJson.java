package io.lambdafs.functions.openwhisk;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.lambdafs.functions.serving.SlowOperation;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.http.HttpReply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Reads and writes the action protocol's JSON at token level, because an instance starts faster without data binding.
 * Stateless.
 */
final class ActionJson {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final byte[] REPLY_HEAD = "{\"v\":1,\"reply\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REPLY_TAIL = "\"}".getBytes(StandardCharsets.US_ASCII);

    private static final String NOT_JSON = "it is not JSON, or a value is of a wrong kind";

    private ActionJson() {}

    /** Consumes one field; the parser is at the field's value, and must be at the value's end on return. */
    interface Field {
        void take(String key, JsonParser parser) throws IOException;
    }

    /** Reads the fields of the body's {@code value} object; fails with {@code INVALID_ARGUMENT}. */
    static void value(byte[] body, Field field) {
        value(body, field, (key, parser) -> parser.skipChildren());
    }

    /**
     * Reads the fields of the {@code value} object and those outside it.
     *
     * @param beside receives the fields outside {@code value}, which are the platform's
     */
    static void value(byte[] body, Field field, Field beside) {
        boolean found = false;
        try (JsonParser parser = FACTORY.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw malformed("it is not a JSON object");
            }
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String key = parser.currentName();
                JsonToken token = parser.nextToken();
                if (key.equals("value") && token == JsonToken.START_OBJECT) {
                    found = true;
                    while (parser.nextToken() != JsonToken.END_OBJECT) {
                        String name = parser.currentName();
                        parser.nextToken();
                        field.take(name, parser);
                    }
                } else {
                    beside.take(key, parser);
                }
            }
        } catch (IOException e) {
            // Without the cause's text: it may quote the body, and with it a token.
            throw malformed(NOT_JSON);
        }
        if (!found) {
            throw malformed("it has no object \"value\"");
        }
    }

    /** Reads the fields of a body without an envelope; fails with {@code INVALID_ARGUMENT}. */
    static void bare(byte[] body, Field field) {
        try (JsonParser parser = FACTORY.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw malformed("it is not a JSON object");
            }
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String key = parser.currentName();
                parser.nextToken();
                field.take(key, parser);
            }
        } catch (IOException e) {
            throw malformed(NOT_JSON);
        }
    }

    static String text(String key, JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw malformed("\"" + key + "\" is not text");
        }
        return parser.getText();
    }

    static FsException malformed(String why) {
        return FsException.invalidArgument("malformed body: " + why);
    }

    /** Returns the reply to a {@code /run} with a request. */
    static HttpReply reply(byte[] operationReply) {
        byte[] text = Base64.getEncoder().encode(operationReply);
        byte[] body = new byte[REPLY_HEAD.length + text.length + REPLY_TAIL.length];
        System.arraycopy(REPLY_HEAD, 0, body, 0, REPLY_HEAD.length);
        System.arraycopy(text, 0, body, REPLY_HEAD.length, text.length);
        System.arraycopy(REPLY_TAIL, 0, body, REPLY_HEAD.length + text.length, REPLY_TAIL.length);
        return HttpReply.json(200, body);
    }

    /** Returns the slow operations as a list. */
    static HttpReply slowest(List<SlowOperation> operations) {
        return HttpReply.json(
                200,
                operations.stream()
                        .map(each -> "{\"operation\":\"" + each.kind().label() + "\",\"micros\":" + each.nanos() / 1_000
                                + ",\"millis\":" + each.millis() + ",\"path\":\""
                                + quoted(each.path().toString()) + "\"}")
                        .collect(Collectors.joining(",", "[", "]")));
    }

    /** Returns an error as OpenWhisk expects it from an action. */
    static HttpReply error(int status, String message) {
        return HttpReply.json(status, "{\"error\":\"" + quoted(message) + "\"}");
    }

    /** Escapes text for a JSON string. */
    static String quoted(String text) {
        return new String(JsonStringEncoder.getInstance().quoteAsString(text));
    }
}
