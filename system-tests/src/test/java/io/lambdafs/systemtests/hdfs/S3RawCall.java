package io.lambdafs.systemtests.hdfs;

import io.lambdafs.door.s3.auth.AccessKey;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** A call that AWS's client would not make, with a signature that AWS's signer makes. Immutable. */
record S3RawCall(AccessKey key, URI address) {
    static S3RawCall of(AccessKey key, URI address) {
        return new S3RawCall(key, address);
    }

    /** Returns the status of the answer. */
    int post(String path, String parameter, String body) throws Exception {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        SdkHttpRequest request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.POST)
                .uri(address)
                .encodedPath(path)
                .putRawQueryParameter(parameter, "")
                .build();
        SignedRequest signed = AwsV4HttpSigner.create()
                .sign(each -> each.identity(AwsCredentialsIdentity.create(key.id(), key.secret()))
                        .request(request)
                        .payload(ContentStreamProvider.fromByteArray(bytes))
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, "eu-north-1")
                        .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                        .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false));
        HttpRequest.Builder call =
                HttpRequest.newBuilder(signed.request().getUri()).POST(HttpRequest.BodyPublishers.ofByteArray(bytes));
        signed.request().headers().forEach((name, values) -> {
            if (!name.equalsIgnoreCase("host") && !name.equalsIgnoreCase("content-length")) {
                call.header(name, values.get(0));
            }
        });
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(call.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
