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

/** Reads and writes the JSON of the platform's APIs. Thread-safe. */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private Json() {}

    /** The shape of a body. */
    public enum Shape {
        /** Not JSON, or JSON other than an object. */
        NO_OBJECT,
        OBJECT,
        /** An object with a field {@code error}, which is an application error to OpenWhisk. */
        OBJECT_WITH_ERROR
    }

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** Returns the only mapper, which callers must not configure. */
    public static ObjectMapper mapper() {
        return MAPPER;
    }

    /**
     * Reads an object; no bytes stand for an empty one.
     *
     * @throws IllegalArgumentException if the bytes are no JSON object
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

    /** Checks a whole body without building a tree. */
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
