package io.lambdafs.datanode.s3;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.disk.PrivateFolder;
import io.lambdafs.rpc.objects.ObjectPlace;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.retry.RetryMode;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Keeps objects in a bucket. The SDK retries transient failures (500, 503, a lost connection) a few times. Checksums
 * are the blocks' own: the SDK adds none. Thread-safe.
 */
public final class S3BlockStore implements BlockStore {
    private static final Logger LOG = LoggerFactory.getLogger(S3BlockStore.class);
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration CALL = Duration.ofSeconds(90);
    private static final int PAGE = 1_000;
    private static final String REGION_VARIABLE = "AWS_REGION";

    private final S3Settings settings;
    private final S3Client client;
    private final AtomicLong spooled = new AtomicLong();

    private S3BlockStore(S3Settings settings, S3Client client) {
        this.settings = settings;
        this.client = client;
    }

    /**
     * Opens a store in a bucket, with the SDK's chain of credentials. Nothing is sent.
     *
     * @param spool a folder of this process alone, created if it does not exist, and emptied
     * @throws FsException {@code UNAVAILABLE}: the folder cannot be used; {@code INVALID_ARGUMENT}: the bucket's region
     *     is not set
     */
    public static S3BlockStore open(
            ObjectPlace place, Optional<URI> endpoint, Optional<String> encryption, Path spool) {
        return open(S3Settings.of(place, endpoint, encryption, spool));
    }

    static S3BlockStore open(S3Settings settings) {
        Path spool = settings.spool();
        try {
            PrivateFolder.make(spool).ifPresent(why -> LOG.warn("{}", why));
            try (Stream<Path> left = Files.list(spool)) {
                for (Path file : left.toList()) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            throw FsException.unavailable(
                    "cannot use the folder " + spool + " for uploads: " + e + "; check its owner", e);
        }
        S3ClientBuilder builder = S3Client.builder()
                .credentialsProvider(settings.credentials())
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(CONNECT)
                        .socketTimeout(settings.silence()))
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .overrideConfiguration(
                        limits -> limits.retryStrategy(RetryMode.STANDARD).apiCallTimeout(CALL));
        settings.endpoint().ifPresent(endpoint -> {
            String region = System.getenv(REGION_VARIABLE);
            builder.endpointOverride(endpoint)
                    .forcePathStyle(true)
                    .region(region == null ? Region.US_EAST_1 : Region.of(region));
        });
        try {
            return new S3BlockStore(settings, builder.build());
        } catch (SdkException e) {
            throw FsException.invalidArgument(
                    "cannot use " + settings.place() + ": " + e.getMessage() + "; set " + REGION_VARIABLE, e);
        }
    }

    S3Settings settings() {
        return settings;
    }

    S3Client client() {
        return client;
    }

    @Override
    public String place() {
        return settings.place()
                + settings.endpoint().map(endpoint -> " at " + endpoint).orElse("");
    }

    String bucket() {
        return settings.place().bucket();
    }

    String name(String key) {
        return settings.place().prefix() + key;
    }

    @Override
    public Upload upload(String key) {
        return new S3Upload(this, key, settings.spool().resolve(Long.toString(spooled.incrementAndGet())));
    }

    @Override
    public OptionalLong length(String key) {
        try {
            return OptionalLong.of(
                    client.headObject(head -> head.bucket(bucket()).key(name(key)))
                            .contentLength());
        } catch (SdkException e) {
            if (S3Failures.status(e) == S3Failures.NOT_FOUND) {
                return OptionalLong.empty();
            }
            throw S3Failures.of("look at", place(), key, e);
        }
    }

    @Override
    public int read(String key, long offset, byte[] into, int at, int length) {
        try {
            return client.getObject(
                    get -> get.bucket(bucket()).key(name(key)).range("bytes=" + offset + "-" + (offset + length - 1)),
                    (response, body) -> take(response, body, into, at, length));
        } catch (SdkException e) {
            if (S3Failures.status(e) == S3Failures.BEYOND_THE_END) {
                return 0;
            }
            throw S3Failures.of("read", place(), key, e);
        }
    }

    /** Reads the response; requests it again if its body ends early. */
    private static int take(GetObjectResponse response, InputStream body, byte[] into, int at, int length) {
        try {
            int count = body.readNBytes(into, at, length);
            if (response.contentLength() != null && count < Math.min(length, response.contentLength())) {
                throw RetryableException.create("the answer ended after " + count + " bytes");
            }
            return count;
        } catch (IOException e) {
            throw RetryableException.create("the answer broke off: " + e, e);
        }
    }

    @Override
    public boolean delete(String key) {
        try {
            client.deleteObject(delete -> delete.bucket(bucket()).key(name(key)));
            return true;
        } catch (SdkException e) {
            FsException failure = S3Failures.of("delete", place(), key, e);
            if (failure.code() == ErrorCode.BLOCK_MISSING) {
                return false;
            }
            throw failure;
        }
    }

    @Override
    public List<StoredObject> list(String prefix, String after, int limit) {
        List<StoredObject> found = new ArrayList<>();
        String last = after;
        boolean more = true;
        while (more && found.size() < limit) {
            ListObjectsV2Response page = page(prefix, last, Math.min(PAGE, limit - found.size()));
            for (S3Object object : page.contents()) {
                last = object.key().substring(settings.place().prefix().length());
                found.add(new StoredObject(
                        last, object.size(), object.lastModified().toEpochMilli()));
            }
            more = Boolean.TRUE.equals(page.isTruncated()) && !page.contents().isEmpty();
        }
        return found;
    }

    private ListObjectsV2Response page(String prefix, String after, int limit) {
        try {
            return client.listObjectsV2(list -> {
                list.bucket(bucket()).prefix(name(prefix)).maxKeys(limit);
                if (!after.isEmpty()) {
                    list.startAfter(name(after));
                }
            });
        } catch (SdkException e) {
            throw S3Failures.of("list", place(), prefix, e);
        }
    }

    @Override
    public List<UnfinishedUpload> unfinished(String prefix, String after, int limit) {
        try {
            return client
                    .listMultipartUploads(list -> {
                        list.bucket(bucket()).prefix(name(prefix)).maxUploads(Math.min(PAGE, limit));
                        if (!after.isEmpty()) {
                            list.keyMarker(name(after));
                        }
                    })
                    .uploads()
                    .stream()
                    .map(each -> new UnfinishedUpload(
                            each.key().substring(settings.place().prefix().length()), each.uploadId()))
                    .toList();
        } catch (SdkException e) {
            throw S3Failures.of("list uploads of", place(), prefix, e);
        }
    }

    @Override
    public void drop(UnfinishedUpload upload) {
        try {
            client.abortMultipartUpload(
                    abort -> abort.bucket(bucket()).key(name(upload.key())).uploadId(upload.id()));
        } catch (SdkException e) {
            if (S3Failures.status(e) != S3Failures.NOT_FOUND) {
                throw S3Failures.of("drop the upload of", place(), upload.key(), e);
            }
        }
    }

    @Override
    public Space space() {
        return Space.UNLIMITED;
    }

    @Override
    public void close() {
        client.close();
    }
}
