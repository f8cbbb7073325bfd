package io.lambdafs.datanode.cloud;

import com.google.cloud.NoCredentials;
import com.google.cloud.ReadChannel;
import com.google.cloud.storage.Blob;
import com.google.cloud.storage.BlobId;
import com.google.cloud.storage.BlobInfo;
import com.google.cloud.storage.Storage;
import com.google.cloud.storage.Storage.BlobListOption;
import com.google.cloud.storage.Storage.BlobWriteOption;
import com.google.cloud.storage.StorageException;
import com.google.cloud.storage.StorageOptions;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.objects.GcsSigner;
import io.lambdafs.rpc.objects.ObjectFailures;
import io.lambdafs.rpc.objects.ObjectPlace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps objects in a bucket of Google Cloud Storage. Google's library retries transient failures a few times.
 * Thread-safe.
 */
final class GcsBlockStore extends CloudBlockStore {
    private static final Logger LOG = LoggerFactory.getLogger(GcsBlockStore.class);
    /** The size of a part of an upload; a multiple of 256 KB. */
    private static final int BUFFER_BYTES = 2 << 20;

    private static final int PAGE = 1_000;
    private static final int NOT_FOUND = 404;
    private static final int BEYOND_THE_END = 416;

    private final ObjectPlace place;
    private final Storage storage;
    private final Spool spool;

    /** @param environment may name an emulator in place of Google, by {@code STORAGE_EMULATOR_HOST} */
    static GcsBlockStore open(ObjectPlace place, Map<String, String> environment, Spool spool) {
        StorageOptions options = GcsSigner.isEmulated(environment)
                ? StorageOptions.newBuilder()
                        .setHost(GcsSigner.server(environment).toString())
                        .setProjectId("emulated")
                        .setCredentials(NoCredentials.getInstance())
                        .build()
                : StorageOptions.getDefaultInstance();
        return new GcsBlockStore(place, options.getService(), spool);
    }

    /** @param storage closed with this */
    private GcsBlockStore(ObjectPlace place, Storage storage, Spool spool) {
        this.place = place;
        this.storage = storage;
        this.spool = spool;
    }

    @Override
    public String place() {
        return place.toString();
    }

    private BlobId id(String key) {
        return BlobId.of(place.bucket(), place.name(key));
    }

    private FsException failed(String what, String key, Exception e) {
        String tried = "cannot " + what + " " + key + " in " + place;
        StorageException answered = answer(e);
        return answered == null || answered.getCode() == 0
                ? ObjectFailures.unanswered(tried, e)
                : ObjectFailures.of(
                        tried,
                        answered.getCode(),
                        String.valueOf(answered.getReason()),
                        String.valueOf(answered.getMessage()));
    }

    private static @Nullable StorageException answer(Exception e) {
        if (e instanceof StorageException answered) {
            return answered;
        }
        return e.getCause() instanceof StorageException answered ? answered : null;
    }

    @Override
    public Upload upload(String key) {
        return new SpooledUpload(key, spool.next(), new SpooledUpload.Sending() {
            @Override
            public void send(Path file, String mark) {
                BlobInfo info = BlobInfo.newBuilder(id(key))
                        .setMetadata(Map.of(SpooledUpload.MARK, mark))
                        .build();
                try {
                    storage.createFrom(info, file, BUFFER_BYTES, BlobWriteOption.doesNotExist());
                } catch (IOException | RuntimeException e) {
                    throw failed("write", key, e);
                }
            }

            @Override
            public String markThere() {
                Blob blob = find(key);
                Map<String, String> metadata = blob == null ? null : blob.getMetadata();
                String mark = metadata == null ? null : metadata.get(SpooledUpload.MARK);
                return mark == null ? "" : mark;
            }
        });
    }

    private @Nullable Blob find(String key) {
        try {
            return storage.get(id(key));
        } catch (RuntimeException e) {
            throw failed("look at", key, e);
        }
    }

    @Override
    public OptionalLong length(String key) {
        Blob blob = find(key);
        return blob == null ? OptionalLong.empty() : OptionalLong.of(blob.getSize());
    }

    @Override
    public int read(String key, long offset, byte[] into, int at, int length) {
        ByteBuffer buffer = ByteBuffer.wrap(into, at, length);
        try (ReadChannel channel = storage.reader(id(key))) {
            channel.setChunkSize(0);
            channel.seek(offset);
            channel.limit(offset + length);
            while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
                // Until the range is complete, or the object has ended.
            }
            return buffer.position() - at;
        } catch (IOException | RuntimeException e) {
            StorageException answered = answer(e);
            if (answered != null && answered.getCode() == BEYOND_THE_END) {
                return 0;
            }
            throw failed("read", key, e);
        }
    }

    @Override
    public boolean delete(String key) {
        try {
            return storage.delete(id(key));
        } catch (RuntimeException e) {
            throw failed("delete", key, e);
        }
    }

    @Override
    public List<StoredObject> list(String prefix, String after, int limit) {
        List<BlobListOption> options = new ArrayList<>();
        options.add(BlobListOption.prefix(place.name(prefix)));
        options.add(BlobListOption.pageSize(Math.min(PAGE, limit + 1)));
        if (!after.isEmpty()) {
            options.add(BlobListOption.startOffset(place.name(after)));
        }
        List<StoredObject> found = new ArrayList<>();
        try {
            for (Blob each : storage.list(place.bucket(), options.toArray(BlobListOption[]::new))
                    .iterateAll()) {
                String key = place.key(each.getName());
                // The list includes the offset itself.
                if (!key.equals(after)) {
                    found.add(new StoredObject(
                            key,
                            each.getSize(),
                            each.getUpdateTimeOffsetDateTime().toInstant().toEpochMilli()));
                }
                if (found.size() == limit) {
                    break;
                }
            }
        } catch (RuntimeException e) {
            StorageException answered = answer(e);
            if (answered != null && answered.getCode() == NOT_FOUND) {
                throw ObjectFailures.of("cannot list " + prefix + " in " + place, NOT_FOUND, "NoSuchBucket", "");
            }
            throw failed("list", prefix, e);
        }
        return found;
    }

    @Override
    public void close() {
        try {
            storage.close();
        } catch (Exception e) {
            LOG.warn("{} did not close: {}", place, e.toString());
        }
    }
}
