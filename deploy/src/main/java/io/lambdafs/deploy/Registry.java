package io.lambdafs.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.model.FsException;
import io.lambdafs.platform.Json;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpRequest;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks with an image's registry, without credentials, whether the image exists and for which architectures, before a
 * deployment pulls it in vain. If a registry does not answer or demands a login, nothing is known: the platform may
 * have access. Confined to one thread.
 */
public final class Registry implements AutoCloseable {
    private static final String MANIFESTS =
            "application/vnd.oci.image.index.v1+json, application/vnd.oci.image.manifest.v1+json,"
                    + " application/vnd.docker.distribution.manifest.list.v2+json, application/vnd.docker.distribution.manifest.v2+json";
    private static final Pattern CHALLENGE = Pattern.compile("(realm|service|scope)=\"([^\"]*)\"");
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int MAX_REPLY_BYTES = 4 << 20;

    private final HttpClient http = new HttpClient(Runnable::run);

    /** The registry gave no usable answer. */
    private static final class Unknown extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /**
     * Finds the obstacle to using an image.
     *
     * @param architectures architectures of the machines that will run it, as images name them ({@code amd64}); empty
     *     if not known
     * @return empty if there is none or nothing is known
     */
    public Optional<Problem> look(String image, Set<String> architectures) {
        Optional<ImageReference> found =
                ImageReference.of(image).filter(each -> !each.host().isEmpty());
        if (found.isEmpty()) {
            // The platform decides which registry this is.
            return Optional.empty();
        }
        ImageReference named = found.get();
        String host = named.host();
        boolean isLocal = host.matches("(localhost|127\\.0\\.0\\.1)(:.*)?");
        String tag = named.tag().isEmpty() ? "latest" : named.tag();
        String reference = named.digest().isEmpty() ? tag : named.digest();
        URI repository = URI.create((isLocal ? "http://" : "https://") + host + "/v2/" + named.path() + "/");
        try {
            HttpReply manifest = get(repository.resolve("manifests/" + reference));
            if (manifest.status() == 404) {
                return Optional.of(Problem.fault(
                        Problem.Code.IMAGE,
                        "the registry " + host + " has no image " + image,
                        "push it there, or correct --image"));
            }
            return compare(image, architectures(repository, json(manifest)), architectures);
        } catch (Unknown nothing) {
            return Optional.empty();
        }
    }

    private static String group(Matcher matcher, int number) {
        String found = matcher.group(number);
        return found == null ? "" : found;
    }

    private static Optional<Problem> compare(String image, Set<String> made, Set<String> run) {
        Set<String> missing = new TreeSet<>(run);
        missing.removeAll(made);
        if (missing.isEmpty() || made.isEmpty()) {
            return Optional.empty();
        }
        String what = "the image " + image + " is made for " + String.join(", ", made)
                + ", and machines of the platform are " + String.join(", ", missing);
        return Optional.of(
                missing.equals(run)
                        ? Problem.fault(
                                Problem.Code.ARCHITECTURE,
                                what,
                                "make the image on such a machine, with lambdafs image")
                        : Problem.advice(
                                Problem.Code.ARCHITECTURE, what, "keep functions to the others with a node selector"));
    }

    private Set<String> architectures(URI repository, JsonNode manifest) throws Unknown {
        Set<String> found = new TreeSet<>();
        for (JsonNode each : manifest.path("manifests")) {
            found.add(each.path("platform").path("architecture").asText());
        }
        String digest = manifest.path("config").path("digest").asText();
        if (found.isEmpty() && !digest.isEmpty()) {
            found.add(json(get(repository.resolve("blobs/" + digest)))
                    .path("architecture")
                    .asText());
        }
        // Attestations of an image have no architecture.
        found.remove("unknown");
        found.remove("");
        return found;
    }

    private static JsonNode json(HttpReply reply) throws Unknown {
        try {
            if (reply.status() == 200) {
                return Json.parseObject(reply.body());
            }
        } catch (IllegalArgumentException notJson) {
            // Then it is not a registry.
        }
        throw new Unknown();
    }

    /**
     * Sends an anonymous request, with an anonymous token if the registry demands one, and follows redirects to its
     * storage.
     */
    private HttpReply get(URI address) throws Unknown {
        HttpReply reply = send(address, Map.of("Accept", MANIFESTS));
        if (reply.status() == 401) {
            String token = token(reply.headers().getOrDefault("www-authenticate", ""));
            reply = send(address, Map.of("Accept", MANIFESTS, "Authorization", "Bearer " + token));
        }
        String elsewhere = reply.headers().get("location");
        if (reply.status() >= 300 && reply.status() < 400 && elsewhere != null) {
            return send(address.resolve(elsewhere), Map.of());
        }
        return reply;
    }

    private String token(String challenge) throws Unknown {
        Map<String, String> parts = new HashMap<>();
        Matcher part = CHALLENGE.matcher(challenge);
        while (part.find()) {
            parts.put(group(part, 1), group(part, 2));
        }
        String realm = parts.get("realm");
        if (!challenge.startsWith("Bearer ") || realm == null) {
            throw new Unknown();
        }
        String query = "service=" + encoded(parts.getOrDefault("service", "")) + "&scope="
                + encoded(parts.getOrDefault("scope", ""));
        JsonNode answer = json(send(URI.create(realm + (realm.contains("?") ? "&" : "?") + query), Map.of()));
        String token = answer.path("token").asText(answer.path("access_token").asText());
        if (token.isEmpty()) {
            throw new Unknown();
        }
        return token;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private HttpReply send(URI address, Map<String, String> headers) throws Unknown {
        try {
            return http.send(new HttpRequest("GET", address, headers, new byte[0], MAX_REPLY_BYTES, LIMIT_NANOS))
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException | IllegalArgumentException unreachable) {
            throw new Unknown();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DeployFailure(
                    Problem.Code.PLATFORM_FAILED, "interrupted while asking the image's registry", FsException.of(e));
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
