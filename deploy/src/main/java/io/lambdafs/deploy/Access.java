package io.lambdafs.deploy;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The way clients call the functions, for {@code client.json}. Immutable.
 *
 * @param api {@code openwhisk}, {@code http} or {@code lambda}
 * @param gateway the platform's address
 * @param functionUrl a function's address with <code>{function}</code> in place of its name; empty if it follows from
 *     the gateway
 * @param namespace namespace of the functions; empty if the API has none
 * @param apiKeyFile file with the callers' key; null for none
 * @param gatewayProof whether the gateway proves that it knows the key
 * @param options further settings of the API's invoker
 */
public record Access(
        String api,
        URI gateway,
        String functionUrl,
        String namespace,
        @Nullable Path apiKeyFile,
        boolean gatewayProof,
        Map<String, String> options) {
    public Access {
        options = Map.copyOf(options);
    }
}
