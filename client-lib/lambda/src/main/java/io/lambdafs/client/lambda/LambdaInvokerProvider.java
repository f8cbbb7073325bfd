package io.lambdafs.client.lambda;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.http.Invoker;
import io.lambdafs.client.http.InvokerProvider;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.message.Codec;
import java.util.Map;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/**
 * Offers Lambda's API to clients. Credentials come from the SDK's chain: files, or a role of the machine or the pod.
 * Stateless.
 */
public final class LambdaInvokerProvider implements InvokerProvider {
    @Override
    public String api() {
        return "lambda";
    }

    @Override
    public Invoker open(ClientConfig config, Supplier<HttpClient> http, Codec codec, Scheduler scheduler) {
        String key = config.apiKey();
        // λFS's own gateway accepts calls signed with its key.
        AwsCredentialsProvider credentials = key == null
                ? DefaultCredentialsProvider.builder().build()
                : StaticCredentialsProvider.create(AwsBasicCredentials.create(
                        key.substring(0, key.indexOf(':')), key.substring(key.indexOf(':') + 1)));
        return open(config, codec, scheduler, credentials);
    }

    static LambdaInvoker open(
            ClientConfig config, Codec codec, Scheduler scheduler, AwsCredentialsProvider credentials) {
        Map<String, String> options = config.api().options();
        String region = options.getOrDefault("region", "");
        if (region.isEmpty()) {
            throw FsException.invalidArgument("client.json: \"apiOptions\" has no \"region\": deploy again, or add it");
        }
        LambdaInvoker.Functions functions = new LambdaInvoker.Functions(
                config.gateway(),
                region,
                config.actionPrefix(),
                options.getOrDefault("alias", ""),
                options.getOrDefault("mode", "invocation").equals("held"));
        return new LambdaInvoker(functions, codec, scheduler, credentials);
    }
}
