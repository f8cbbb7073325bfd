package io.lambdafs.client.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.transports.TransportKind;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code client.json}, which a cluster writes into its directory for clients on its host: gateway and API,
 * namespace, names and number of deployments, the cluster's owner, the transport, whether instances are on other
 * machines, whether the platform is likely to thrash, the time limit of an attempt, an emulated distance, and the paths of secret, API key and CA certificate, relative to
 * the file. Stateless.
 */
final class ClientFile {
    static final String NAME = "client.json";
    static final String DIRECTORY_VARIABLE = "LAMBDAFS_DIR";
    private static final int SCHEMA = 1;
    private static final int MAX_BYTES = 64 << 10;
    private static final ObjectMapper JSON = new ObjectMapper();

    private ClientFile() {}

    /** Returns the file of the cluster in a directory, or of the default cluster. */
    static Path find(@Nullable Path directory) {
        if (directory != null) {
            return directory.resolve(NAME);
        }
        String named = System.getenv(DIRECTORY_VARIABLE);
        if (named != null && !named.isBlank()) {
            return Path.of(named).resolve(NAME);
        }
        return Path.of(System.getProperty("user.home", "."), ".lambdafs", "default", NAME);
    }

    static ClientConfigBuilder read(Path file) {
        JsonNode root = parse(file);
        int schema = root.path("schema").asInt(-1);
        if (schema != SCHEMA) {
            throw invalid(file, "its schema is " + root.path("schema") + ", this client knows " + SCHEMA);
        }
        ClientConfigBuilder builder = new ClientConfigBuilder();
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            throw invalid(file, "it has no directory");
        }
        for (Map.Entry<String, JsonNode> field : root.properties()) {
            try {
                apply(builder, directory, field.getKey(), field.getValue());
            } catch (IllegalArgumentException e) {
                throw invalid(file, "\"" + field.getKey() + "\": " + e.getMessage());
            }
        }
        return builder;
    }

    private static void apply(ClientConfigBuilder builder, Path directory, String key, JsonNode value) {
        switch (key) {
            case "schema" -> {}
            case "gateway" -> builder.gateway(URI.create(text(value)));
            case "namespace" -> builder.namespace(text(value));
            case "api" -> builder.api(text(value));
            case "functionUrl" -> builder.functionUrl(text(value));
            case "apiOptions" -> builder.apiOptions(texts(value));
            case "actionPrefix" -> builder.actionPrefix(text(value));
            case "deployments" -> builder.deployments(integer(value));
            case "generation" -> builder.generation(integer(value));
            case "superuser" -> builder.superuser(text(value));
            case "secretFile" -> builder.secret(Secret.load(directory.resolve(text(value))));
            case "apiKeyFile" -> builder.apiKey(readKey(directory.resolve(text(value))));
            case "gatewayProof" -> builder.gatewayProof(value.asBoolean());
            case "tlsCa" -> builder.tlsCa(directory.resolve(text(value)));
            case "transport" -> builder.transport(TransportKind.of(text(value)));
            case "tcp" -> builder.tcpEnabled(value.asBoolean());
            case "listenTowardsGateway" -> builder.listenTowardsGateway(value.asBoolean());
            case "antiThrashing" -> builder.antiThrashingEnabled(value.asBoolean());
            case "insecure" -> builder.insecure(value.asBoolean());
            case "distance" ->
                builder.distance(
                        new ClientConfig.Distance(micros(value.path("tcpMicros")), micros(value.path("httpMicros"))));
            case "attemptMillis" -> builder.times(builder.times().withAttempt(Duration.ofMillis(integer(value))));
            default -> throw new IllegalArgumentException("unknown key");
        }
    }

    private static String text(JsonNode value) {
        if (!value.isTextual()) {
            throw new IllegalArgumentException("must be a string");
        }
        return value.textValue();
    }

    private static Map<String, String> texts(JsonNode value) {
        Map<String, String> texts = new HashMap<>();
        value.properties().forEach(each -> texts.put(each.getKey(), text(each.getValue())));
        return texts;
    }

    private static Duration micros(JsonNode value) {
        return Duration.ofNanos(1_000L * integer(value));
    }

    private static int integer(JsonNode value) {
        if (!value.isInt()) {
            throw new IllegalArgumentException("must be a whole number");
        }
        return value.intValue();
    }

    /** Reads the platform's {@code user:password} from a file. */
    static String readKey(Path file) {
        return new String(readBounded(file, "the API key file"), StandardCharsets.UTF_8).strip();
    }

    private static JsonNode parse(Path file) {
        try {
            JsonNode root = JSON.readTree(readBounded(file, "the cluster's client file"));
            if (root == null || !root.isObject()) {
                throw invalid(file, "it is not a JSON object");
            }
            return root;
        } catch (JsonProcessingException e) {
            throw invalid(file, "it is not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw unreadable(file, "the cluster's client file", e);
        }
    }

    private static byte[] readBounded(Path file, String what) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw invalid(file, "it is longer than " + MAX_BYTES + " bytes");
            }
            return bytes;
        } catch (IOException e) {
            throw unreadable(file, what, e);
        }
    }

    private static FsException unreadable(Path file, String what, IOException e) {
        if (e instanceof AccessDeniedException) {
            return new FsException(
                    ErrorCode.PERMISSION_DENIED,
                    "cannot read " + what + " " + file + ": its mode, or that of a directory above it, keeps "
                            + System.getProperty("user.name") + " out; ask its owner",
                    e);
        }
        String why = e instanceof NoSuchFileException ? "there is none" : e.toString();
        return FsException.unavailable(
                "cannot read " + what + " " + file + ": " + why
                        + "; start the cluster, or name its directory with --dir or $" + DIRECTORY_VARIABLE,
                e);
    }

    private static FsException invalid(Path file, String why) {
        return FsException.invalidArgument(file + " is no client file of a cluster: " + why);
    }
}
