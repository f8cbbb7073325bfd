package io.lambdafs.cluster.settings;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Finds the line of each key in a JSON text, for error messages. Stateless. */
final class SettingsLines {
    private SettingsLines() {}

    /** Returns 1-based lines by full key, such as {@code pool.memoryMb}. The text must be JSON. */
    static Map<String, Integer> of(String text) {
        Map<String, Integer> lines = new HashMap<>();
        try (JsonParser parser = Json.MAPPER.createParser(text)) {
            JsonToken token = parser.nextToken();
            while (token != null) {
                if (token == JsonToken.FIELD_NAME) {
                    String key = parser.getParsingContext()
                            .pathAsPointer()
                            .toString()
                            .substring(1)
                            .replace('/', '.');
                    lines.put(key, parser.currentTokenLocation().getLineNr());
                }
                token = parser.nextToken();
            }
        } catch (IOException e) {
            throw new IllegalStateException("text that was JSON is none", e);
        }
        return lines;
    }
}
