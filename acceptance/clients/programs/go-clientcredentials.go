package main

import (
	"context"
	"fmt"
	"os"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

var styles = map[string]oauth2.AuthStyle{
	"auto":   oauth2.AuthStyleAutoDetect,
	"params": oauth2.AuthStyleInParams,
	"header": oauth2.AuthStyleInHeader,
}

func main() {
	clientID := os.Getenv("CLIENT_ID")
	config := clientcredentials.Config{
		ClientID:     clientID,
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		TokenURL:     os.Getenv("AUTH_URL") + "/oauth2/v2.0/token",
		Scopes:       []string{"api://" + clientID + "/.default"},
		AuthStyle:    styles[os.Args[1]],
	}
	token, err := config.Token(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(token.AccessToken)
}
