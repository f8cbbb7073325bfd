package io.lambdafs.deploy;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How clients call the functions: what {@code client.json} is told. Immutable.
 *
 * @param api {@code openwhisk}, {@code http} or {@code lambda}
 * @param gateway the platform's address
 * @param functionUrl a function's address with <code>{function}</code> in place of its name; empty where it follows from the gateway
 * @param namespace of the functions; empty where the API has none
 * @param apiKeyFile what callers show; null for nothing
 * @param gatewayProof whether the gateway proves to know the key
 * @param options what else the API's invoker must know
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
