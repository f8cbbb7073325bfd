package io.lambdafs.lambda;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * The parts of a call that the handler itself reads; the function parses the rest and reports errors. Immutable.
 *
 * @param hasRequest whether it carries an operation whose caller waits
 * @param offersConnections whether it names TCP servers
 * @param isConnected whether the caller already has a connected instance of the deployment that accepts its requests
 */
record Call(boolean hasRequest, boolean offersConnections, boolean isConnected) {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final Call MALFORMED = new Call(true, false, false);

    static Call parse(byte[] body) {
        boolean request = false;
        boolean offers = false;
        boolean connected = false;
        try (JsonParser parser = FACTORY.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return MALFORMED;
            }
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String key = parser.currentName();
                JsonToken token = parser.nextToken();
                switch (key) {
                    case "request" -> request = true;
                    case "tcp" -> offers = token == JsonToken.START_ARRAY && parser.nextToken() != JsonToken.END_ARRAY;
                    case "connected" -> connected = token == JsonToken.VALUE_TRUE;
                    default -> {}
                }
                if (key.equals("tcp") && offers) {
                    skipRest(parser);
                } else {
                    parser.skipChildren();
                }
            }
        } catch (IOException e) {
            return MALFORMED;
        }
        return new Call(request, offers, connected);
    }

    /** Skips from inside an array to its end. */
    private static void skipRest(JsonParser parser) throws IOException {
        parser.skipChildren();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            parser.skipChildren();
        }
    }
}
