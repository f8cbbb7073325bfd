package io.lambdafs.cluster;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** In which line of a JSON text each key stands, for messages about it. Stateless. */
final class SettingsLines {
    private SettingsLines() {}

    /** Lines from 1, by the key with those above it, {@code pool.memoryMb}. The text is JSON. */
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
