package io.lambdafs.functions.openwhisk;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parsed body of {@code /init}. Immutable.
 *
 * @param deployment the number at the end of the action's name
 * @param instance the platform's id of the instance; null if it gives none
 */
record InitCall(int deployment, @Nullable String instance) {
    private static final Pattern NUMBER = Pattern.compile("(\\d{1,9})$");

    /** Parses the body; fails with {@code INVALID_ARGUMENT}. */
    static InitCall parse(byte[] body) {
        String[] names = new String[3];
        ActionJson.value(body, (key, parser) -> {
            if (key.equals("name")) {
                names[0] = ActionJson.text(key, parser);
            } else if (key.equals("env") && parser.currentToken() == JsonToken.START_OBJECT) {
                environment(parser, names);
            } else {
                parser.skipChildren();
            }
        });
        String action = names[1] == null ? names[0] : names[1];
        Matcher matcher = NUMBER.matcher(action == null ? "" : action);
        if (!matcher.find()) {
            throw FsException.invalidArgument("the action's name \"" + action
                    + "\" does not end with the number of a deployment: name actions like nn0");
        }
        return new InitCall(Integer.parseInt(matcher.group(1)), names[2]);
    }

    /** Returns the string values of the environment in {@code /init}; fails with {@code INVALID_ARGUMENT}. */
    static Map<String, String> environment(byte[] body) {
        Map<String, String> variables = new HashMap<>();
        ActionJson.value(body, (key, parser) -> {
            if (!key.equals("env") || parser.currentToken() != JsonToken.START_OBJECT) {
                parser.skipChildren();
                return;
            }
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                if (parser.nextToken() == JsonToken.VALUE_STRING) {
                    variables.put(name, parser.getText());
                } else {
                    parser.skipChildren();
                }
            }
        });
        return variables;
    }

    private static void environment(JsonParser parser, String[] names) throws IOException {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            JsonToken token = parser.nextToken();
            if (token == JsonToken.VALUE_STRING && key.equals("__OW_ACTION_NAME")) {
                names[1] = parser.getText();
            } else if (token == JsonToken.VALUE_STRING && key.equals("LAMBDAFS_INSTANCE_ID")) {
                names[2] = parser.getText();
            } else {
                parser.skipChildren();
            }
        }
    }
}
