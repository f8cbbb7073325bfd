/**
 * Objects of an object store, as whoever has a signed URL writes, reads and deletes them: requests that are signed for one key and one method, without a
 * library of the store's, and what sends them.
 */
@NullMarked
package io.lambdafs.rpc.objects;

import org.jspecify.annotations.NullMarked;
