package io.lambdafs.datanode.local;

import io.lambdafs.datanode.block.BlockStore.StoredObject;
import io.lambdafs.datanode.block.BlockStore.UnfinishedUpload;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A page of the objects in a directory, in key order. Visits only folders that may hold some of them. Files may come
 * and go meanwhile. Single use, for one thread.
 */
final class Listing {
    private final Path root;
    private final String skipped;
    private final String prefix;
    private final String after;
    private final int limit;
    private final List<StoredObject> found = new ArrayList<>();

    /** @param key ends with a '/' for a folder */
    private record Child(Path file, String key, BasicFileAttributes attributes) {}

    /** @param skipped a folder of the root that has no objects */
    Listing(Path root, String skipped, String prefix, String after, int limit) {
        this.root = root;
        this.skipped = skipped;
        this.prefix = prefix;
        this.after = after;
        this.limit = limit;
    }

    /** @throws NoSuchFileException the root is gone */
    List<StoredObject> read() throws IOException {
        take(children(root, ""));
        return found;
    }

    private void take(List<Child> children) throws IOException {
        for (Child child : children) {
            if (found.size() == limit) {
                return;
            }
            if (child.attributes().isDirectory()) {
                take(inside(child));
            } else {
                found.add(new StoredObject(
                        child.key(),
                        child.attributes().size(),
                        child.attributes().lastModifiedTime().toMillis()));
            }
        }
    }

    private List<Child> inside(Child folder) throws IOException {
        try {
            return children(folder.file(), folder.key());
        } catch (NoSuchFileException gone) {
            return List.of();
        }
    }

    private List<Child> children(Path folder, String path) throws IOException {
        List<Child> children = new ArrayList<>();
        for (Path file : files(folder)) {
            String key = path + file.getFileName();
            if (key.equals(skipped) || !(isWanted(key) || leadsToWanted(key + "/"))) {
                continue;
            }
            try {
                BasicFileAttributes attributes =
                        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                if (attributes.isDirectory() && leadsToWanted(key + "/")) {
                    children.add(new Child(file, key + "/", attributes));
                } else if (attributes.isRegularFile() && isWanted(key)) {
                    children.add(new Child(file, key, attributes));
                }
            } catch (NoSuchFileException gone) {
                // Like an object that was deleted before.
            }
        }
        children.sort(Comparator.comparing(Child::key));
        return children;
    }

    private boolean isWanted(String key) {
        return key.startsWith(prefix) && key.compareTo(after) > 0;
    }

    private boolean leadsToWanted(String path) {
        return (path.startsWith(prefix) || prefix.startsWith(path))
                && (path.compareTo(after) > 0 || after.startsWith(path));
    }

    private static List<Path> files(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            stream.forEach(files::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return files;
    }

    /**
     * Lists drafts, which are files {@code OWNER/KEY~NUMBER}.
     *
     * @param slash the substitute for '/' in the name of a draft
     */
    static List<UnfinishedUpload> drafts(Path uploads, String slash) throws IOException {
        List<UnfinishedUpload> found = new ArrayList<>();
        for (Path owner : files(uploads)) {
            try {
                for (Path draft : files(owner)) {
                    String name = String.valueOf(draft.getFileName());
                    int end = name.lastIndexOf('~');
                    if (end >= 0) {
                        found.add(new UnfinishedUpload(
                                name.substring(0, end).replace(slash, "/"), owner.getFileName() + "/" + name));
                    }
                }
            } catch (NoSuchFileException gone) {
                // With all its drafts.
            }
        }
        found.sort(Comparator.comparing(UnfinishedUpload::key));
        return found;
    }
}
