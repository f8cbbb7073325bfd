package io.lambdafs.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.FunctionConfigReader;
import io.lambdafs.model.FsException;
import io.lambdafs.platform.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A platform, where it is, and what is wanted of it: all that {@code deploy} is told, and what {@code deployment.json} in a cluster's
 * directory keeps of it for {@code deploy --remove} and {@code doctor}. No secret is in it. Immutable.
 *
 * @param platform its name
 */
public record Plan(String platform, Target target, Wanted wanted) {
    /** The file in the directory of a cluster that is deployed on a platform. */
    public static final String FILE = "deployment.json";

    private static final String SECRET_FILE = "secretFile";

    /**
     * What an instance's configuration is made of: the file, with the number of deployments, and without the place of the secret, which is
     * another one in every container.
     *
     * @param deployments n; 0 for what the file says
     * @param secretFile null for what the file says
     * @param configuration the resulting text
     */
    public record Instances(int deployments, @Nullable Path secretFile, String configuration, String fileSystem) {
        /**
         * Reads the file, and has it checked as an instance checks it.
         *
         * @throws DeployFailure it makes no sense, or cannot be read
         */
        public static Instances read(Path file, int deployments, @Nullable Path secretFile) {
            try {
                ObjectNode tree = Json.parseObject(Files.readAllBytes(file));
                if (deployments > 0) {
                    tree.put("deployments", deployments);
                }
                Path secret = secretFile;
                if (tree.path("insecure").asBoolean()) {
                    secret = null;
                } else if (secret == null && tree.has(SECRET_FILE)) {
                    secret = file.resolveSibling(tree.path(SECRET_FILE).asText());
                }
                tree.remove(SECRET_FILE);
                String text = Json.mapper().writeValueAsString(tree);
                FunctionConfig parsed = FunctionConfigReader.parse(text.getBytes(StandardCharsets.UTF_8), secret);
                if (secret != null && !Files.isReadable(secret)) {
                    throw new NoSuchFileException(secret.toString());
                }
                return new Instances(
                        parsed.deployments(),
                        secret == null ? null : secret.toAbsolutePath().normalize(),
                        text,
                        parsed.fileSystem());
            } catch (NoSuchFileException e) {
                throw wrong(
                        "there is no file " + e.getMessage() + ": name the functions' configuration with --function,"
                                + " and the cluster's secret with --secret-file",
                        e);
            } catch (IOException e) {
                throw wrong("cannot read " + file + ": " + e.getMessage(), e);
            } catch (IllegalArgumentException | FsException e) {
                throw wrong(file + ": " + e.getMessage(), e);
            }
        }
    }

    /** Writes it into a directory, whole or not at all. */
    void write(Path directory) throws IOException {
        ObjectNode tree = Json.object().put("schema", 1).put("platform", platform);
        ObjectNode to = tree.putObject("target");
        put(to, "apiHost", target.apiHost());
        put(to, "authFile", target.authFile());
        to.put("namespace", target.namespace());
        put(to, "kubeconfig", target.kubeconfig());
        to.put("context", target.context());
        target.options().forEach(to.putObject("options")::put);
        ObjectNode functions = tree.putObject("wanted")
                .put("cluster", wanted.cluster())
                .put("deployments", wanted.deployments())
                .put("image", wanted.image())
                .put("memoryMb", wanted.memoryMb())
                .put("concurrency", wanted.concurrency())
                .put("timeoutSeconds", wanted.timeout().toSeconds())
                .put("minInstances", wanted.minInstances())
                .put("httpShare", wanted.httpShare());
        functions.set("configuration", Json.parseObject(wanted.configuration().getBytes(StandardCharsets.UTF_8)));
        put(functions, SECRET_FILE, wanted.secretFile());
        wanted.environment().forEach(functions.putObject("environment")::put);
        ClusterFiles.write(tree, directory.resolve(FILE));
    }

    /**
     * Reads what was deployed from a directory; empty where nothing was.
     *
     * @throws DeployFailure the file is there and makes no sense
     */
    public static Optional<Plan> read(Path directory) {
        Path file = directory.resolve(FILE);
        try {
            JsonNode tree = Json.parseObject(Files.readAllBytes(file));
            JsonNode to = tree.path("target");
            Target target = new Target(
                    to.has("apiHost") ? URI.create(to.path("apiHost").asText()) : null,
                    path(to, "authFile"),
                    to.path("namespace").asText(),
                    path(to, "kubeconfig"),
                    to.path("context").asText(),
                    texts(to.path("options")));
            JsonNode functions = tree.path("wanted");
            Wanted wanted = new Wanted(
                    functions.path("cluster").asText(),
                    functions.path("deployments").asInt(),
                    functions.path("image").asText(),
                    functions.path("memoryMb").asInt(),
                    functions.path("concurrency").asInt(),
                    Duration.ofSeconds(functions.path("timeoutSeconds").asLong()),
                    functions.path("minInstances").asInt(),
                    functions.path("httpShare").asDouble(),
                    functions.path("configuration").toString(),
                    path(functions, SECRET_FILE),
                    texts(functions.path("environment")));
            return Optional.of(new Plan(tree.path("platform").asText(), target, wanted));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            throw wrong(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static void put(ObjectNode tree, String key, @Nullable Object value) {
        if (value != null) {
            tree.put(key, value.toString());
        }
    }

    private static Map<String, String> texts(JsonNode tree) {
        Map<String, String> texts = new LinkedHashMap<>();
        tree.properties()
                .forEach(each -> texts.put(each.getKey(), each.getValue().asText()));
        return texts;
    }

    private static @Nullable Path path(JsonNode tree, String key) {
        return tree.has(key) ? Path.of(tree.path(key).asText()) : null;
    }

    private static DeployFailure wrong(String what, Exception cause) {
        return new DeployFailure(Problem.Code.CONFIGURATION, what, cause);
    }
}
