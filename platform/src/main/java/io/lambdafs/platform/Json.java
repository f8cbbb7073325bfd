package io.lambdafs.platform;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;

/** JSON as the platform's APIs read and write it. Thread-safe. */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private Json() {}

    /** What a body turned out to be. */
    public enum Shape {
        /** Not JSON, or JSON but no object. */
        NO_OBJECT,
        OBJECT,
        /** An object with a field {@code error}, which OpenWhisk takes for an application's error. */
        OBJECT_WITH_ERROR
    }

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** The only mapper; configured once, so callers must not. */
    public static ObjectMapper mapper() {
        return MAPPER;
    }

    /**
     * Reads an object; no bytes at all stand for an empty one.
     *
     * @throws IllegalArgumentException when the bytes are no JSON object
     */
    public static ObjectNode parseObject(byte[] bytes) {
        if (bytes.length == 0) {
            return object();
        }
        try {
            if (MAPPER.readTree(bytes) instanceof ObjectNode object) {
                return object;
            }
            throw new IllegalArgumentException("expected a JSON object");
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    public static byte[] bytes(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Checks a whole body without building a tree of it. */
    public static Shape shape(byte[] bytes) {
        try (JsonParser parser = MAPPER.createParser(bytes)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Shape.NO_OBJECT;
            }
            boolean error = false;
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                error |= parser.currentName().equals("error");
                parser.nextToken();
                parser.skipChildren();
            }
            if (parser.nextToken() != null) {
                return Shape.NO_OBJECT;
            }
            return error ? Shape.OBJECT_WITH_ERROR : Shape.OBJECT;
        } catch (IOException e) {
            return Shape.NO_OBJECT;
        }
    }
}
