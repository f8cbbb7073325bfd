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
 * The plan of a deployment: a platform, its address and the functions on it. {@code deployment.json} in a cluster's
 * directory keeps it for {@code deploy --remove} and {@code doctor}. It has no secrets. Immutable.
 *
 * @param platform name of the platform
 */
public record Plan(String platform, Target target, FunctionsSpec wanted) {
    /** The plan's file in the directory of a deployed cluster. */
    public static final String FILE = "deployment.json";

    private static final String SECRET_FILE = "secretFile";

    /**
     * The configuration of instances: the file with the number of deployments and without the secret's path, which
     * differs in every container.
     *
     * @param deployments n; 0 for the file's value
     * @param secretFile null for the file's value
     * @param configuration the resulting text
     */
    public record Instances(int deployments, @Nullable Path secretFile, String configuration, String fileSystem) {
        /**
         * Reads the file and checks it as an instance does.
         *
         * @throws DeployFailure if it is invalid or unreadable
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
                throw wrong("cannot read " + file + ": " + FileFaults.reason(e), e);
            } catch (IllegalArgumentException | FsException e) {
                throw wrong(file + ": " + e.getMessage(), e);
            }
        }
    }

    /** Writes the plan into a directory atomically. */
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
     * Reads the plan from a directory; empty if nothing was deployed.
     *
     * @throws DeployFailure if the file is invalid
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
            FunctionsSpec wanted = new FunctionsSpec(
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
