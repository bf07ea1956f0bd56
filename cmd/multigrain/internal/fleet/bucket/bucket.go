// Package bucket keeps the objects of runs in a bucket of an object store that speaks the
// protocol of Amazon S3. It is the only package that imports a client of S3.
package bucket

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/queue"
)

// amazon is the endpoint of addresses that name none.
const amazon = "https://s3.amazonaws.com"

// Bucket is a bucket, or a part of it whose names begin alike.
type Bucket struct {
	address      string
	client       *minio.Client
	name, prefix string
}

// Open opens the bucket of an address s3://BUCKET/PREFIX?endpoint=URL&region=NAME. All but the
// bucket can be absent. Credentials come from the environment, as AWS_ACCESS_KEY_ID and
// AWS_SECRET_ACCESS_KEY, or from the file of AWS's own tools. The error says that the address is
// malformed, or that there is no such bucket for the caller.
func Open(ctx context.Context, address string) (*Bucket, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the address of the store is malformed. Write s3://BUCKET?endpoint=https://HOST:9000")
	}
	if u.Scheme != "s3" || u.Host == "" || u.Fragment != "" {
		return nil, fmt.Errorf("%s is no address of a store. Write s3://BUCKET?endpoint=https://HOST:9000", u.Redacted())
	}
	if u.User != nil {
		return nil, errors.New("credentials in the address of the store are not used. Put them into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
	}
	query := u.Query()
	for name, values := range query {
		if !slices.Contains([]string{"endpoint", "region"}, name) || len(values) != 1 {
			return nil, fmt.Errorf("the address of the store has the setting %q. Possible are one endpoint and one region", name)
		}
	}
	end := amazon
	if e := query.Get("endpoint"); e != "" {
		end = e
	}
	e, err := url.Parse(end)
	if err != nil || e.Scheme != "https" && e.Scheme != "http" || e.Host == "" || strings.Trim(e.Path, "/") != "" || e.User != nil || e.RawQuery != "" {
		return nil, errors.New("the endpoint of the store is malformed. Write https://HOST:PORT or http://HOST:PORT")
	}
	b := &Bucket{name: u.Host, prefix: strings.Trim(path.Clean("/"+u.Path), "/")}
	whole := url.URL{Scheme: "s3", Host: b.name, Path: b.prefix, RawQuery: url.Values{"endpoint": {e.Scheme + "://" + e.Host}, "region": {query.Get("region")}}.Encode()}
	b.address = whole.String()
	keys := credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.EnvMinio{}, &credentials.FileAWSCredentials{}})
	b.client, err = minio.New(e.Host, &minio.Options{Creds: keys, Secure: e.Scheme == "https", Region: query.Get("region"), MaxRetries: 2})
	if err != nil {
		return nil, err
	}
	has, err := b.client.BucketExists(ctx, b.name)
	if err == nil && !has {
		err = fmt.Errorf("there is no bucket %q", b.name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.address, err)
	}
	return b, nil
}

// Address returns the address with all settings and without credentials.
func (b *Bucket) Address() string { return b.address }

// Of returns the objects of a run.
func (b *Bucket) Of(run string) queue.Objects { return objects{b, path.Join(b.prefix, run) + "/"} }

// objects are those of a run, whose names begin alike.
type objects struct {
	*Bucket
	prefix string
}

func (o objects) Put(ctx context.Context, name string, content []byte) error {
	// A sum of the whole, instead of those of chunks, which empty objects have not.
	sum := sha256.Sum256(content)
	put := minio.PutObjectOptions{DisableContentSha256: true}
	_, err := minio.Core{Client: o.client}.PutObject(ctx, o.name, o.prefix+name, bytes.NewReader(content), int64(len(content)), "", hex.EncodeToString(sum[:]), put)
	return err
}

func (o objects) Get(ctx context.Context, name string) ([]byte, error) {
	r, err := o.client.GetObject(ctx, o.name, o.prefix+name, minio.GetObjectOptions{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	content, err := io.ReadAll(r)
	if minio.ToErrorResponse(err).Code == "NoSuchKey" {
		return nil, queue.ErrNoObject
	}
	return content, err
}

func (o objects) List(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	for x := range o.client.ListObjects(ctx, o.name, minio.ListObjectsOptions{Prefix: o.prefix, Recursive: true}) {
		if x.Err != nil {
			return nil, x.Err
		}
		out[strings.TrimPrefix(x.Key, o.prefix)] = x.ETag
	}
	return out, ctx.Err()
}

func (o objects) Remove(ctx context.Context) error {
	all, err := o.List(ctx)
	for name := range all {
		err = errors.Join(err, o.client.RemoveObject(ctx, o.name, o.prefix+name, minio.RemoveObjectOptions{}))
	}
	return err
}
