/**
 * Serving code shared by all platforms' entries: connections dialled back to clients (the paper's §3.2), admission by
 * CPU share, and the billing meter (§5.2.5). Independent of any platform; the NameNode is behind {@link
 * io.lambdafs.functions.serving.RequestExecutor}.
 */
@NullMarked
package io.lambdafs.functions.serving;

import org.jspecify.annotations.NullMarked;
