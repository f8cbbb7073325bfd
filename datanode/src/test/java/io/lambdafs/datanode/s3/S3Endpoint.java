package io.lambdafs.datanode.s3;

import io.lambdafs.rpc.objects.ObjectPlace;
import io.lambdafs.rpc.objects.S3Credentials;
import io.lambdafs.rpc.objects.S3Signer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** An object store in this process, in memory. */
public final class S3Endpoint implements AutoCloseable {
    public static final String USER = "a-user";
    private static final String PASSWORD = "a-password";

    private final S3Proxy proxy;
    private final URI address;

    private S3Endpoint(S3Proxy proxy, URI address) {
        this.proxy = proxy;
        this.address = address;
    }

    public static S3Endpoint start() throws Exception {
        BlobStore blobs = BlobStores.create("transient-nio2", new Properties());
        S3Proxy proxy = S3Proxy.builder()
                .blobStore(blobs)
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, USER, PASSWORD)
                .build();
        proxy.start();
        return new S3Endpoint(proxy, URI.create("http://127.0.0.1:" + proxy.getPort()));
    }

    public URI address() {
        return address;
    }

    public void makeBucket(String bucket) {
        makeBucket(address, bucket);
    }

    static void makeBucket(URI address, String bucket) {
        try (S3Client client = S3Client.builder()
                .endpointOverride(address)
                .forcePathStyle(true)
                .region(Region.US_EAST_1)
                .credentialsProvider(credentials(PASSWORD))
                .build()) {
            client.createBucket(create -> create.bucket(bucket));
        }
    }

    private static StaticCredentialsProvider credentials(String password) {
        return StaticCredentialsProvider.create(AwsBasicCredentials.create(USER, password));
    }

    S3Signer signer(String place) {
        return signer(place, address);
    }

    static S3Signer signer(String place, URI endpoint) {
        return S3Signer.of(
                ObjectPlace.of(place),
                Optional.of(endpoint),
                Optional.empty(),
                "us-east-1",
                new S3Credentials(USER, PASSWORD, ""));
    }

    S3Settings settings(String place, Path spool) {
        return settings(place, spool, address, PASSWORD);
    }

    static S3Settings settings(String place, Path spool, URI endpoint, String password) {
        int smallestPart = 5 << 20;
        return new S3Settings(
                ObjectPlace.of(place),
                Optional.of(endpoint),
                Optional.empty(),
                spool,
                smallestPart,
                Duration.ofSeconds(1),
                credentials(password));
    }

    public static String password() {
        return PASSWORD;
    }

    @Override
    public void close() {
        try {
            proxy.stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
